import { HANDSHAKE } from '../receiver/schedule.ts'
import { OK } from '../receiver/replies.ts'
import { expectRecord } from './act.ts'
import type { Fields } from '../../harness/json.ts'
import type { LimitsFixture } from './scene.ts'
import { playTries } from './play-tries.ts'
import {
  answerAt,
  answered,
  requestsToWait,
  requestsToWaitUntil,
  WAITS_MS,
  type Subject,
  type TrackedCallback,
} from './tracked.ts'

/** More of one kind: what one does by chance, not all of them do. */
const OF_ONE_KIND = 3
const WHOLE = WAITS_MS.callback.length + 1
const REQUESTED = WAITS_MS.handshake.length + 1
/** A merchant's server that needs most of its time: 5 seconds for a question, 15 for a callback. */
const SLOW_MS = { handshake: 3_500, callback: 11_000 } as const
const [NO, YES] = [answered(503), answered(200)]

/** Refused in every way that has a rule of its own. */
export const refusals: readonly TrackedCallback[] = [
  ...Array.from({ length: OF_ONE_KIND }, (): TrackedCallback => ({
    kind: 'callback',
    name: 'a callback that is never taken',
    answers: [answered(500)],
    times: WHOLE,
  })),
  {
    kind: 'callback',
    name: 'a callback that is taken at the last try',
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

/** Payments are made first: while their messages come nothing needs to be asked. */
export async function makeSubjects(scene: LimitsFixture): Promise<readonly Subject[]> {
  const subjects: Subject[] = []
  for (const tracked of refusals) {
    const act = scene.act(tracked.name)
    const reference = act.reference()
    const { status, message } =
      tracked.kind === 'callback'
        ? await act.collect({ msisdn: act.phone(), merchant_reference: reference })
        : await act.pay({ account_number: act.phone(), merchant_reference: reference })
    const about = tracked.kind === 'callback' ? 'initializeCollection' : 'sendFunds'
    if (act.hold(about, status === 202, 'accepted', `a payment was answered ${status} "${message}", not 202`))
      subjects.push({ tracked, reference, act })
    act.story.told(`the merchant answers ${tracked.answers.map(({ make }) => make().name).join(', then ')}`)
  }
  return subjects
}

/** Answers what comes as it is told, until nothing more may come, and judges when each of it came. */
export async function attempts(
  { target: { own }, merchant }: LimitsFixture,
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

/** What became of the payouts whose handshakes were refused. */
export async function judgeOutcomes(subjects: readonly Subject[]): Promise<void> {
  for (const { tracked, reference, act } of subjects) {
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
    expectRecord(act, 'payoutHandshake', await act.verify(reference), expected, tracked.name, source)
  }
}
