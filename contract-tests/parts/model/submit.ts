import { isDeepStrictEqual } from 'node:util'
import { MalipoError, type CollectionAcknowledgement, type PayoutAcknowledgement } from '../../../client/index.ts'
import { present } from '../../harness/part.ts'
import { curlOf } from './curl.ts'
import { verifyAccepted } from './observe.ts'
import { asksForOtp, isHosted, OPEN_PAGES_MAX, OTP_TRIES_MAX, type Draft, type Payment, type Stage } from './payment.ts'
import { checkRecord } from './record.ts'
import { knownLimitsOf, isClockStopped, usageOf, type PaymentModel, type SystemUnderTest } from './world.ts'

type SubmitReply =
  | { readonly is: 'accepted'; readonly acknowledgement: CollectionAcknowledgement | PayoutAcknowledgement }
  | { readonly is: 'refused'; readonly status: number; readonly message: string }

/** Requests a payment. @throws MalipoError when it is refused, or there is no reply */
export const sendRequest = (
  malipo: SystemUnderTest['malipo'],
  draft: Draft,
  options: { readonly idempotencyKey?: string } = {},
): Promise<CollectionAcknowledgement | PayoutAcknowledgement> =>
  draft.type === 'COLLECTION'
    ? malipo.collections.initialize(draft.request, options)
    : malipo.payouts.send(draft.request, options)

/** Sends one request. @throws MalipoError for a reply that the contract does not declare */
export async function send(malipo: SystemUnderTest['malipo'], draft: Draft): Promise<SubmitReply> {
  try {
    return { is: 'accepted', acknowledgement: await sendRequest(malipo, draft, { idempotencyKey: draft.key }) }
  } catch (error) {
    if (
      error instanceof MalipoError &&
      error.status !== undefined &&
      error.status < 500 &&
      error.kind !== 'unexpected_reply'
    )
      return { is: 'refused', status: error.status, message: error.message }
    throw error
  }
}

/** Sends drafts concurrently, judges each reply, and adds accepted ones to the model. @throws Violation */
export async function submit(
  model: PaymentModel,
  real: SystemUnderTest,
  drafts: readonly Draft[],
): Promise<readonly Payment[]> {
  const usedBefore = new Set(model.payments.map(({ reference }) => reference))
  const usages = new Map(
    drafts.map((draft) => [
      draft,
      usageOf(model, real, { providerCode: draft.way.providerCode, type: draft.type, account: draft.account }),
    ]),
  )
  const answered = await Promise.all(drafts.map(async (draft) => ({ draft, reply: await send(real.malipo, draft) })))
  model.story.push(
    `${drafts.length > 1 ? 'at once: ' : ''}${answered.map(({ draft, reply }) => `${wordsOf(draft)} → ${reply.is === 'accepted' ? '202' : `${reply.status} ${reply.message}`}`).join(' | ')}`,
  )

  const distinct = onePerKey(answered, real)
  const accepted = distinct.flatMap(({ draft, reply }) =>
    reply.is === 'accepted' ? [{ draft, acknowledgement: reply.acknowledgement }] : [],
  )
  for (const { draft, reply } of distinct)
    judgeReply(model, real, draft, reply, {
      accepted: accepted.map((each) => each.draft),
      wasUsed: usedBefore.has(draft.reference),
      usage: present(usages.get(draft), 'usage of the draft'),
    })
  const payments = await Promise.all(
    accepted.map(({ draft, acknowledgement }) => adopt(model, real, draft, acknowledgement)),
  )
  // In the order of the drafts, not of the replies: later commands pick payments by number.
  model.payments.push(...payments)
  return payments
}

interface BatchResult {
  /** Accepted drafts of the same batch. */
  readonly accepted: readonly Draft[]
  /** An earlier payment has its reference. */
  readonly wasUsed: boolean
  readonly usage: ReturnType<typeof usageOf>
}

/** Judges whether the acceptance or refusal was right. */
function judgeReply(
  model: PaymentModel,
  real: SystemUnderTest,
  draft: Draft,
  reply: SubmitReply,
  { accepted, wasUsed, usage }: BatchResult,
): void {
  const twins = accepted.filter((other) => other.reference === draft.reference)
  real.rules.hold(
    'a reference is accepted once',
    reply.is === 'refused' || (twins.length === 1 && !wasUsed),
    `${draft.reference} was accepted ${twins.length + (wasUsed ? 1 : 0)} times`,
    curlOf(real.target, draft),
  )
  const { dailyMinor } = knownLimitsOf(real, draft)
  const together = accepted
    .filter((other) => countsAtOnce(other) && sameAccount(other, draft))
    .reduce((sum, other) => sum + other.amountMinor, 0n)
  if (reply.is === 'accepted') {
    const used = usage.atLeast + together
    real.rules.hold(
      'the daily limit of an account holds',
      !countsAtOnce(draft) || used <= dailyMinor,
      `account ${draft.account} of ${draft.way.providerCode} has used ${used} of ${dailyMinor} minor units within 24 hours`,
    )
    return
  }
  const pages =
    openPages(model, draft) +
    accepted.filter((other) => isHosted({ draft: other }) && other.account === draft.account).length
  const isOver = isHosted({ draft })
    ? pages >= OPEN_PAGES_MAX
    : countsAtOnce(draft) && usage.atMost + together + draft.amountMinor > dailyMinor
  // Earlier use of another server's accounts is unknown.
  const mayBeOver = isOver || !isClockStopped(real)
  real.rules.hold(
    'a right request is accepted',
    (reply.status === 409 && (wasUsed || twins.length > 0)) || (reply.status === 400 && mayBeOver),
    `${wordsOf(draft)} was refused: ${reply.status} ${reply.message}`,
    curlOf(real.target, draft),
  )
}

interface SubmittedDraft {
  readonly draft: Draft
  readonly reply: SubmitReply
}

/** The same request sent several times under one key is one request: all replies are equal. */
function onePerKey(answered: readonly SubmittedDraft[], { rules }: SystemUnderTest): readonly SubmittedDraft[] {
  const first = new Map<string, SubmittedDraft>()
  for (const one of answered) {
    const other = first.get(one.draft.key)
    if (!other) first.set(one.draft.key, one)
    else
      rules.hold(
        'an Idempotency-Key replays the first reply',
        isDeepStrictEqual(one.reply, other.reply),
        `${wordsOf(one.draft)}, sent twice with one key, was answered ${JSON.stringify(other.reply)} and ${JSON.stringify(one.reply)}`,
      )
  }
  return [...first.values()]
}

/** Turns an accepted draft into a payment, verified for the first time. */
async function adopt(
  model: PaymentModel,
  real: SystemUnderTest,
  draft: Draft,
  { internal_reference, merchant_reference, ...rest }: CollectionAcknowledgement | PayoutAcknowledgement,
): Promise<Payment> {
  const { rules } = real
  const paymentUrl = 'payment_url' in rest ? rest.payment_url : undefined
  rules.hold(
    'the acknowledgement names the reference',
    merchant_reference === draft.reference,
    `${draft.reference} was acknowledged as ${merchant_reference}`,
  )
  const reported = await verifyAccepted(real, draft.reference)
  const payment: Payment = {
    draft,
    type: draft.type,
    reference: draft.reference,
    internalReference: internal_reference,
    paymentUrl,
    acceptedAt: model.now,
    record: reported,
    ended: new Set(),
    account: draft.account,
    stage: { at: 'rail' },
    triesLeft: OTP_TRIES_MAX,
    mayTimeOut: false,
    rejected: draft.type === 'PAYOUT' && real.merchant?.isRejected(draft.reference) === true,
  }
  payment.stage = firstStage(payment)
  if (isClockStopped(real))
    rules.hold(
      'a payment begins as PENDING',
      reported.transaction_status === 'PENDING',
      `${draft.reference}, just accepted, is ${reported.transaction_status}`,
    )
  checkRecord(payment, reported, real)
  return payment
}

function firstStage(payment: Payment): Stage {
  const { draft } = payment
  if (draft.type === 'PAYOUT') return { at: 'rail' }
  if (isHosted(payment)) return { at: 'confirmation' }
  return asksForOtp(draft.way, draft.account) ? { at: 'otp' } : { at: 'rail' }
}

/** A collection on the payment page counts toward the daily limit when its customer confirms. */
const countsAtOnce = (draft: Draft): boolean => draft.account !== '' && !isHosted({ draft })

const openPages = ({ payments }: PaymentModel, { account }: Draft): number =>
  payments.filter(
    (payment) =>
      account !== '' &&
      payment.account === account &&
      isHosted(payment) &&
      (payment.stage.at === 'confirmation' || payment.stage.at === 'otp'),
  ).length

const sameAccount = (a: Draft, b: Draft): boolean =>
  a.account === b.account && a.type === b.type && a.way.providerCode === b.way.providerCode

export const wordsOf = ({ type, reference, request, way, account }: Draft): string =>
  `${type === 'COLLECTION' ? 'collect' : 'pay out'} ${request.amount} ${way.currency} by ${way.providerCode}${account === '' ? '' : `, account ${account}`} (${reference})`
