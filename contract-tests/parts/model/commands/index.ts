import fc from 'fast-check'
import { authorizes } from './authorize.ts'
import type { Command } from './command.ts'
import { collectsWithWrongKey, readsWithWrongKey, paysOutWithWrongSecret } from './keys.ts'
import { confirmsAndCancels, usesPage } from './page.ts'
import {
  collects,
  collectsWithPassword,
  paysOut,
  reachesDailyLimit,
  sendsCrowd,
  sendsTwins,
  usesReferenceAgain,
} from './pay.ts'
import { replays } from './replay.ts'
import { passesTime, restarts } from './time.ts'

/** @param still only the model moves the server's clock, and it controls page and restarts too */
export const anyCommand = (still: boolean): fc.Arbitrary<Command> =>
  fc.oneof(
    { weight: 12, arbitrary: collects(still) },
    { weight: 5, arbitrary: collectsWithPassword(still) },
    { weight: 10, arbitrary: paysOut(still) },
    { weight: 14, arbitrary: passesTime(still) },
    { weight: 10, arbitrary: authorizes() },
    { weight: 4, arbitrary: usesReferenceAgain(still) },
    { weight: 4, arbitrary: sendsTwins(still) },
    { weight: 4, arbitrary: sendsCrowd(still) },
    { weight: 5, arbitrary: replays() },
    { weight: 2, arbitrary: paysOutWithWrongSecret(still) },
    { weight: 2, arbitrary: collectsWithWrongKey(still) },
    { weight: 2, arbitrary: readsWithWrongKey() },
    ...(still
      ? [
          { weight: 12, arbitrary: usesPage() },
          { weight: 3, arbitrary: confirmsAndCancels() },
          { weight: 5, arbitrary: reachesDailyLimit() },
          { weight: 1, arbitrary: restarts() },
        ]
      : []),
  )
