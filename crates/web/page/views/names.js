// @ts-check
/** What players are called. */

import { t } from '../text.js';

/**
 * @param {import('../../protocol/message').SeatInfo} seat
 * @param {import('../../protocol/message').SideName} side
 * @param {boolean} isYou
 */
export function playerName(seat, side, isYou) {
  const [kind, value] = seat.player.split(':');
  if (kind === 'level') return t('engineLevel', { n: value });
  if (kind === 'time') return t('engineTime', { n: Number(value) });
  if (kind === 'random') return t('randomPlayer');
  if (isYou) return seat.name ? `${seat.name} (${t('you')})` : t('you');
  if (seat.name) return seat.name;
  // Whoever comes from elsewhere is known by the colour; a program by the text that chose it.
  return kind === 'person' || kind === 'remote' ? t(side) : seat.player;
}
