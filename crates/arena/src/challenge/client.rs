//! A client's side of the contest: what a player knows of the game from the states it is sent.
