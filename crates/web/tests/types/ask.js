// @ts-check
/**
 * What the type check refuses: names and fields that no message has. Each line below that is expected to
 * be wrong and is not fails the check itself.
 *
 * @param {import('../../page/app.js').App} app
 */
export async function mistakes(app) {
  await app.ask('name', { name: 'Ann' });
  // @ts-expect-error there is no such request
  await app.ask('nmae', { name: 'Ann' });
  // @ts-expect-error the field has another name
  await app.ask('name', { nmae: 'Ann' });
  // @ts-expect-error the field is missing
  await app.ask('name');
  // @ts-expect-error the field is no number
  await app.ask('name', { name: 7 });
  // @ts-expect-error this request has no fields
  await app.ask('games', { most: 7 });
  // @ts-expect-error there is no such wish
  await app.ask('wish', { wish: 'win' });
  // @ts-expect-error there is no such correction
  await app.ask('correctTournament', { tournament: 'cup', correction: { kind: 'cancel' }, why: '' });

  const games = await app.ask('games');
  games?.games[0].changedMs.toFixed();
  // @ts-expect-error the answer has another name
  games?.library;
  // @ts-expect-error the entry has no such field
  games?.games[0].changed;
  // @ts-expect-error the connection is typed in the same way
  await app.socket.ask('nmae', { name: 'Ann' });
}

/** @param {import('../../protocol/message').ServerEvent} event */
export function wrongEvent(event) {
  // @ts-expect-error there is no such event
  return event.event === 'sate';
}
