import { customerOf } from '../../driver/customer.ts'
import { sendRequest, type ApiReply } from '../../driver/requests.ts'
import { wireOf } from '../../driver/money.ts'
import { observe } from './observe.ts'
import { OTP_TRIES_MAX } from './outcomes.ts'
import {
  hold,
  isSameAccount,
  isWaiting,
  optionName,
  sumMinor,
  usedMinor,
  type Draft,
  type ModelRun,
  type Payment,
  type Stage,
} from './world.ts'

/** Open payment pages of one merchant for one account number. */
const OPEN_PAGES_MAX = 10

/** Sends drafts concurrently, judges each reply, and adds accepted ones to the model. @throws Violation */
export async function submit(run: ModelRun, drafts: readonly Draft[]): Promise<void> {
  const replies = await Promise.all(drafts.map(({ request }) => sendRequest(run.target.url, request)))
  const sent = drafts.flatMap((draft, index): SentDraft[] => {
    const reply = replies[index]
    return reply ? [{ draft, reply }] : []
  })
  const words = sent.map(({ draft, reply: { status, message } }) => `${wordsOf(draft)} → ${status} ${message}`)
  run.story.push(`${drafts.length > 1 ? 'at once: ' : ''}${words.join(' | ')}`)
  const accepted = sent.filter(({ reply: { status } }) => status === 202)
  const acceptedDrafts = accepted.map(({ draft }) => draft)
  for (const each of sent) judgeReply(run, each, acceptedDrafts)
  const payments = accepted.map((each) => toPayment(run, each))
  // In the order of the drafts, not of the replies: later commands pick payments by number.
  run.payments.push(...payments)
  await observe(run, payments)
  for (const { reference, status } of run.own ? payments : [])
    hold(run, 'a payment begins as PENDING', status === 'PENDING', `${reference}, just accepted, is ${status}`)
}

interface SentDraft {
  readonly draft: Draft
  readonly reply: ApiReply
}

const wordsOf = ({ type, reference, amountMinor, currency, providerCode, account, isHosted }: Draft): string =>
  `${type === 'COLLECTION' ? 'collect' : 'pay out'} ${wireOf(amountMinor, currency)} ${currency} by ${providerCode}, account ${account || 'not chosen'}${isHosted ? ', on the page' : ''} (${reference})`

/** Judges whether the acceptance or refusal was right. @param accepted drafts of the same batch */
function judgeReply(run: ModelRun, { draft, reply }: SentDraft, accepted: readonly Draft[]): void {
  const { reference, account, request } = draft
  const known = [...run.payments, ...accepted].filter((other) => other.reference === reference).length
  const { dailyMinor } = run.limits.get(optionName(draft)) ?? { dailyMinor: 0n }
  // A collection on the page counts when its customer confirms.
  const together = accepted.filter((other) => !other.isHosted && isSameAccount(other, draft))
  const used = usedMinor(run, draft) + sumMinor(together)
  if (reply.status === 202) {
    hold(run, 'a reference is accepted once', known === 1, `${reference} was accepted ${known} times`, request)
    const what = `account ${account} has used ${used} of ${dailyMinor} minor units of ${optionName(draft)} within 24 hours`
    return hold(run, 'the daily limit of an account holds', draft.isHosted || used <= dailyMinor, what)
  }
  const open = [...run.payments.filter(isWaiting), ...accepted].filter(
    (other) => other.isHosted && other.pageAccount === draft.pageAccount,
  )
  const isOver = draft.isHosted ? open.length >= OPEN_PAGES_MAX : used + draft.amountMinor > dailyMinor
  // Earlier use of another server's accounts is unknown.
  const isRight = (reply.status === 409 && known > 0) || (reply.status === 400 && (isOver || !run.own))
  const what = `${wordsOf(draft)} was refused: ${reply.status} ${reply.message}`
  hold(run, 'a right request is accepted', isRight, what, request)
}

const toPayment = ({ target, now }: ModelRun, { draft, reply: { data } }: SentDraft): Payment => ({
  ...draft,
  internalReference: data['internal_reference'],
  customer: draft.isHosted ? customerOf(target, data) : undefined,
  acceptedAt: now,
  stage: firstStage(draft),
  triesLeft: OTP_TRIES_MAX,
  mayTimeOut: false,
  status: 'PENDING',
  message: '',
  ended: new Set(),
})

function firstStage({ isHosted, asksForOtp }: Draft): Stage {
  if (isHosted) return { at: 'confirmation' }
  return { at: asksForOtp ? 'otp' : 'rail' }
}
