import { HANDSHAKE, WAITS_MS } from '../../driver/webhooks.ts'
import { OK } from '../../driver/merchant-replies.ts'
import { expectRecord } from '../../driver/payment-driver.ts'
import type { Fields } from '../../harness/json.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { playTries } from './play-tries.ts'
import {
  answerAt,
  answered,
  requestsToWait,
  requestsToWaitUntil,
  type Subject,
  type TrackedCallback,
} from './tracked-callback.ts'

/** Several messages of one kind: a random effect does not show in all of them. */
const OF_ONE_KIND = 3
const WHOLE = WAITS_MS.callback.length + 1
const REQUESTED = WAITS_MS.handshake.length + 1
/** A merchant's server that uses most of its time: 5 seconds for a handshake, 15 for a callback. */
const SLOW_MS = { handshake: 3_500, callback: 11_000 } as const
const [NO, YES] = [answered(503), answered(200)]

/** Refused in every way that has a rule of its own. */
export const refusals: readonly TrackedCallback[] = [
  ...Array.from({ length: OF_ONE_KIND }, (): TrackedCallback => ({
    kind: 'callback',
    name: 'a callback that is never acknowledged',
    answers: [answered(500)],
    times: WHOLE,
  })),
  {
    kind: 'callback',
    name: 'a callback that is acknowledged at the last try',
    answers: [...Array.from({ length: WHOLE - 1 }, () => NO), YES],
    times: WHOLE,
  },
  ...[
    [requestsToWait(3_600), 'Retry-After in seconds'] as const,
    [requestsToWaitUntil(7_200), 'Retry-After as a date'] as const,
    [requestsToWait(108_000), 'a Retry-After of 30 hours'] as const,
    [requestsToWaitUntil(108_000), 'a Retry-After 30 hours ahead'] as const,
    [requestsToWait(1), 'a Retry-After that is shorter than the wait'] as const,
    [requestsToWaitUntil(-3_600), 'a Retry-After that has passed'] as const,
  ].map(([first, what]): TrackedCallback => ({
    kind: 'callback',
    name: `a callback after ${what}`,
    answers: [first, YES],
    times: 2,
  })),
  {
    kind: 'callback',
    name: 'a callback after Retry-After at its second try',
    answers: [NO, requestsToWait(900), YES],
    times: 3,
  },
  { kind: 'handshake', name: 'a handshake without a decision', answers: [NO], times: REQUESTED },
  { kind: 'handshake', name: 'a handshake decided at the last question', answers: [NO, NO, NO, YES], times: REQUESTED },
  ...(['handshake', 'callback'] as const).map((kind): TrackedCallback => ({
    kind,
    name: `a ${kind} answered after ${SLOW_MS[kind] / 1_000} s`,
    answers: [answered(200, SLOW_MS[kind])],
    times: 1,
  })),
]

/** Payments are made first: no request is needed while their messages arrive. */
export async function makeSubjects(fixture: DriverFixture): Promise<readonly Subject[]> {
  const subjects: Subject[] = []
  for (const tracked of refusals) {
    const driver = fixture.driver(tracked.name)
    const reference = driver.reference()
    const { status, message } =
      tracked.kind === 'callback'
        ? await driver.collect({ msisdn: driver.phone(), merchant_reference: reference })
        : await driver.pay({ account_number: driver.phone(), merchant_reference: reference })
    const about = tracked.kind === 'callback' ? 'initializeCollection' : 'sendFunds'
    if (driver.hold(about, status === 202, 'accepted', `a payment was answered ${status} "${message}", not 202`))
      subjects.push({ tracked, reference, driver })
    driver.story.note(`the merchant answers ${tracked.answers.map(({ make }) => make().name).join(', then ')}`)
  }
  return subjects
}

/** Answers messages as planned until no more may come, and judges when each of them came. */
export async function attempts(
  { target: { own }, merchant }: DriverFixture,
  subjects: readonly Subject[],
): Promise<void> {
  if (!own || !merchant) return
  const trackedOf = new Map(subjects.map(({ reference, tracked }) => [reference, tracked]))
  const counts = new Map<string, number>()
  merchant.answers(({ webhook, reference = '' }) => {
    const tracked = trackedOf.get(reference)
    if (!tracked || (tracked.kind === 'handshake') !== (webhook === HANDSHAKE)) return OK
    const before = counts.get(reference) ?? 0
    counts.set(reference, before + 1)
    return answerAt(tracked, before).make()
  })
  await playTries(own, subjects, ({ reference, tracked }) =>
    merchant.messagesOf(reference).filter(({ webhook }) => (webhook === HANDSHAKE) === (tracked.kind === 'handshake')),
  )
}

/** Final states of the payouts whose handshakes were refused. */
export async function judgeOutcomes(subjects: readonly Subject[]): Promise<void> {
  for (const { tracked, reference, driver } of subjects) {
    if (tracked.kind !== 'handshake') continue
    const isConfirmed = tracked.answers.at(-1) === YES || tracked.times === 1
    const expected: Fields = isConfirmed
      ? { transaction_status: 'COMPLETED' }
      : {
          transaction_status: 'FAILED',
          status_message: "The merchant's verification URL did not answer (HTTP 503)",
          failure_code: 'handshake_unanswered',
        }
    const source = 'docs, page "Payouts and the handshake"'
    expectRecord(driver, 'payoutHandshake', await driver.verify(reference), expected, tracked.name, source)
  }
}
