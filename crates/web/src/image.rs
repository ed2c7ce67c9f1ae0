//! Pictures of positions and games over HTTP: what is wanted, what it may cost, and what was made before.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    body::Bytes,
    http::{HeaderMap, Response, StatusCode},
};
use tablut_host::Host;
use tablut_picture::{Arrow, Brightness, Film, Picture, Quarters, Ring, Style};
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use crate::{
    asset::{self, Lifetime},
    crowd::{Crowd, Deed, Origin},
    exhibit::{Address, Exhibit, ExhibitError, asked},
};

/// The largest picture, in pixels, and the usual one.
const WIDEST: u16 = 1200;
const USUAL: u16 = 480;
const NARROWEST: u16 = 64;

/// How many pixels all frames of a GIF may have, before what does not change is left out.
const FILM_PIXELS: usize = 480 * 480 * 300;

/// How wide a GIF is if nothing else is asked for and there is room.
const FILM_USUAL: u16 = 400;

/// The most arrows, and the most marks.
const DRAWINGS: usize = 40;

/// How many pictures are made at once, and how long one may wait for its turn.
const AT_WORK: usize = 2;
const PATIENCE: Duration = Duration::from_secs(10);

/// How many bytes of pictures are kept.
const KEPT: usize = 16 * 1024 * 1024;

/// What a picture is written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Encoding {
    Svg,
    Png,
    Gif,
}

impl Encoding {
    /// The path without its ending, and what the ending means.
    fn split(path: &str) -> Option<(&str, Self)> {
        let (path, ending) = path.rsplit_once('.')?;
        let encoding = match ending {
            "svg" => Self::Svg,
            "png" => Self::Png,
            "gif" => Self::Gif,
            _ => return None,
        };
        Some((path, encoding))
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
        }
    }
}

/// Why there is no picture: a status and what is said.
#[derive(Debug)]
pub(crate) struct NoPicture {
    status: StatusCode,
    text: String,
}

impl NoPicture {
    fn new(status: StatusCode, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { status, text }
    }

    fn faulty(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    pub(crate) fn too_many() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many pictures were asked for from your address; wait a moment",
        )
    }

    pub(crate) fn into_response(self) -> Response<axum::body::Body> {
        let mut response = Response::new(format!("{}\n", self.text).into());
        *response.status_mut() = self.status;
        response
    }
}

impl From<ExhibitError> for NoPicture {
    fn from(error: ExhibitError) -> Self {
        let status = match error {
            ExhibitError::Missing(_) => StatusCode::NOT_FOUND,
            ExhibitError::Faulty(_) => StatusCode::BAD_REQUEST,
            ExhibitError::Store => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}

/// What is wanted of a picture besides what it shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    width: Option<u16>,
    pub(crate) style: Style,
    arrows: Vec<Arrow>,
    rings: Vec<Ring>,
    /// After which move; the last if nothing is said.
    pub(crate) ply: Option<usize>,
    delay: Duration,
}

impl Wanted {
    /// Reads the query of an address. Keys it does not know are for others.
    pub(crate) fn read(query: &str) -> Result<Self, NoPicture> {
        let number = |key: &str, least: usize, most: usize| match asked(query, key) {
            None => Ok(None),
            Some(text) => match text.parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
                _ => Err(NoPicture::faulty(format!(
                    "{key} must be a number from {least} to {most}"
                ))),
            },
        };
        let width = number("size", NARROWEST.into(), WIDEST.into())?;
        let turn = number("turn", 0, 3)?.unwrap_or(0);
        let brightness = match asked(query, "theme").as_deref() {
            None | Some("light") => Brightness::Light,
            Some("dark") => Brightness::Dark,
            Some(_) => return Err(NoPicture::faulty("theme must be light or dark")),
        };
        let has_coordinates = match asked(query, "coordinates").as_deref() {
            None | Some("yes") => true,
            Some("no") => false,
            Some(_) => return Err(NoPicture::faulty("coordinates must be yes or no")),
        };
        Ok(Self {
            width: width.and_then(|width| u16::try_from(width).ok()),
            style: Style {
                brightness,
                quarters: Quarters::new(u8::try_from(turn).unwrap_or(0)),
                has_coordinates,
            },
            arrows: drawings(query, "arrows")?,
            rings: drawings(query, "marks")?,
            ply: number("ply", 0, 100_000)?,
            delay: Duration::from_millis(number("delay", 100, 10_000)?.unwrap_or(800) as u64),
        })
    }
}

/// What is drawn: values with commas between them.
fn drawings<T: std::str::FromStr<Err: std::fmt::Display>>(
    query: &str,
    key: &str,
) -> Result<Vec<T>, NoPicture> {
    let text = asked(query, key).unwrap_or_default();
    let words: Vec<&str> = text.split(',').filter(|word| !word.is_empty()).collect();
    if words.len() > DRAWINGS {
        return Err(NoPicture::faulty(format!(
            "{key} may have at most {DRAWINGS} entries"
        )));
    }
    let read = |word: &&str| word.parse();
    let read: Result<Vec<T>, T::Err> = words.iter().map(read).collect();
    read.map_err(|error| NoPicture::faulty(format!("{key}: {error}")))
}

/// Makes pictures, a few at once, and keeps those it made last.
pub(crate) struct Gallery {
    at_work: Semaphore,
    kept: Mutex<Shelved>,
}

/// Pictures that were made, by what they show.
#[derive(Default)]
struct Shelved {
    pictures: HashMap<String, (Bytes, u64)>,
    bytes: usize,
    /// Counts up with each use, so that the oldest can be told.
    now: u64,
}

impl Shelved {
    fn get(&mut self, key: &str) -> Option<Bytes> {
        self.now += 1;
        let (bytes, used) = self.pictures.get_mut(key)?;
        *used = self.now;
        Some(bytes.clone())
    }

    fn put(&mut self, key: String, picture: Bytes) {
        self.now += 1;
        self.bytes += picture.len();
        if let Some((old, _)) = self.pictures.insert(key, (picture, self.now)) {
            self.bytes -= old.len();
        }
        while self.bytes > KEPT {
            let oldest = self.pictures.iter().min_by_key(|(_, (_, used))| *used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else {
                break;
            };
            if let Some((old, _)) = self.pictures.remove(&key) {
                self.bytes -= old.len();
            }
        }
    }
}

impl Gallery {
    pub(crate) fn new() -> Self {
        Self {
            at_work: Semaphore::new(AT_WORK),
            kept: Mutex::default(),
        }
    }

    /// The picture at a path behind `/image/`.
    pub(crate) async fn answer(
        &self,
        (host, crowd, origin): (&Host, &Crowd, Origin),
        (path, query): (&str, &str),
        headers: &HeaderMap,
    ) -> Result<Response<axum::body::Body>, NoPicture> {
        let Some((path, encoding)) = Encoding::split(path) else {
            return Err(NoPicture::faulty(
                "the address of a picture ends with .svg, .png or .gif",
            ));
        };
        let wanted = Wanted::read(query)?;
        let address = Address::read(path)?;
        if !crowd.allows(origin, Deed::Look) {
            return Err(NoPicture::too_many());
        }
        let exhibit = Exhibit::find(host, &address).await?;
        let lifetime = match exhibit.is_live {
            true => Lifetime::Checked,
            false => Lifetime::Week,
        };
        // By what it shows: moves are taken back and studies are changed under the same address.
        let key = format!(
            "{} {} {:?} {encoding:?} {wanted:?}",
            exhibit.rules.set().id(),
            exhibit.start,
            exhibit.steps()
        );
        let known = self.kept().get(&key);
        let picture = match known {
            Some(picture) => picture,
            None => {
                let deed = match encoding {
                    Encoding::Gif => Deed::Film,
                    Encoding::Svg | Encoding::Png => Deed::Picture,
                };
                if !crowd.allows(origin, deed) {
                    return Err(NoPicture::too_many());
                }
                let picture = self.make(encoding, exhibit, wanted).await?;
                self.kept().put(key, picture.clone());
                picture
            }
        };
        Ok(asset::respond(picture, encoding.kind(), lifetime, headers))
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Shelved> {
        // A thread that panicked may have left the count wrong, which costs a picture at most.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn make(
        &self,
        encoding: Encoding,
        exhibit: Exhibit,
        wanted: Wanted,
    ) -> Result<Bytes, NoPicture> {
        let busy = || {
            let text = "too many pictures are being made; try again in a moment";
            NoPicture::new(StatusCode::SERVICE_UNAVAILABLE, text)
        };
        let turn = timeout(PATIENCE, self.at_work.acquire()).await;
        let Ok(Ok(_turn)) = turn else {
            return Err(busy());
        };
        let made = spawn_blocking(move || draw(encoding, exhibit, &wanted)).await;
        made.map_err(|_| busy())?
    }
}

/// Draws what is wanted of an exhibit.
fn draw(encoding: Encoding, exhibit: Exhibit, wanted: &Wanted) -> Result<Bytes, NoPicture> {
    let faulty = |error: tablut_picture::PictureError| NoPicture::faulty(error.to_string());
    let count = exhibit.plies();
    let ply = wanted.ply.unwrap_or(count);
    if ply > count {
        return Err(NoPicture::faulty(format!(
            "ply must be at most {count}: there are no more moves"
        )));
    }
    if encoding == Encoding::Gif {
        return film(exhibit, ply, wanted);
    }
    let (setup, last) = exhibit.at(ply);
    let rules: Arc<_> = Arc::clone(&exhibit.rules);
    let picture = Picture::new(&rules, setup)
        .map_err(faulty)?
        .with_style(wanted.style)
        .with_last(last)
        .with_arrows(wanted.arrows.clone())
        .with_rings(wanted.rings.clone());
    let width = wanted.width.unwrap_or(USUAL);
    match encoding {
        Encoding::Svg => picture.svg(width).map(Bytes::from),
        _ => picture.png(width).map(Bytes::from),
    }
    .map_err(faulty)
}

fn film(exhibit: Exhibit, ply: usize, wanted: &Wanted) -> Result<Bytes, NoPicture> {
    if !wanted.arrows.is_empty() || !wanted.rings.is_empty() {
        return Err(NoPicture::faulty(
            "arrows and marks belong to one position: ask for .png or .svg",
        ));
    }
    let Some(mut game) = exhibit.game else {
        return Err(NoPicture::faulty(
            "no game can start from this position: ask for .png or .svg",
        ));
    };
    while game.plies().len() > ply && game.undo() {}
    let room = FILM_PIXELS / (game.plies().len() + 1);
    let widest = u16::try_from(room.isqrt()).unwrap_or(WIDEST).min(WIDEST);
    let width = wanted.width.unwrap_or(FILM_USUAL.min(widest));
    if width > widest {
        return Err(NoPicture::faulty(format!(
            "a GIF of this game can be at most {widest} pixels wide"
        )));
    }
    let film = Film::new(&game, wanted.style, wanted.delay);
    let gif = film.gif(width).map(Bytes::from);
    gif.map_err(|error| NoPicture::faulty(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_wishes_are_refused_in_words() {
        let long = format!("marks={}", "e5,".repeat(41));
        for (query, word) in [
            ("size=1201", "1200"),
            ("size=63", "64"),
            ("size=-1", "size"),
            ("size=99999999999999999999", "size"),
            ("turn=4", "turn"),
            ("theme=<script>", "theme"),
            ("coordinates=maybe", "coordinates"),
            ("arrows=e4", "arrow"),
            ("arrows=pink:e4e3", "colour"),
            ("marks=z9", "mark"),
            (long.as_str(), "40"),
            ("ply=-1", "ply"),
            ("ply=1e9", "ply"),
            ("delay=1", "delay"),
        ] {
            let refused = Wanted::read(query).expect_err(query);
            assert_eq!(refused.status, StatusCode::BAD_REQUEST);
            assert!(refused.text.contains(word), "{query}: {}", refused.text);
            assert!(!refused.text.contains("<script>"));
        }
        assert!(Wanted::read("size=100&unknown=1&turn=2").is_ok());
    }

    #[test]
    fn the_pictures_that_are_kept_have_room() {
        let mut kept = Shelved::default();
        let large = Bytes::from(vec![0; KEPT / 4]);
        for n in 0..4 {
            kept.put(n.to_string(), large.clone());
        }
        assert!(kept.get("0").is_some());
        kept.put("4".into(), large);
        assert!(kept.get("1").is_none(), "the one not used for longest goes");
        assert!(kept.get("0").is_some() && kept.get("4").is_some());
        assert_eq!(kept.bytes, KEPT);
    }
}
