import { isDeepStrictEqual } from 'node:util'
import { MalipoError, type CollectionAcknowledgement, type PayoutAcknowledgement } from '../../../client/index.ts'
import { present } from '../../harness/part.ts'
import { curlOf } from './curl.ts'
import { verifyAccepted } from './observe.ts'
import { asksForOtp, isHosted, OPEN_PAGES_MAX, OTP_TRIES_MAX, type Draft, type Payment, type Stage } from './payment.ts'
import { checkRecord } from './record.ts'
import { knownLimitsOf, standsStill, usageOf, type Model, type Real } from './world.ts'

export type Reply =
  | { readonly is: 'accepted'; readonly acknowledgement: CollectionAcknowledgement | PayoutAcknowledgement }
  | { readonly is: 'refused'; readonly status: number; readonly message: string }

/** One request. @throws MalipoError when the answer is none that the contract has for it */
export async function send(malipo: Real['malipo'], draft: Draft): Promise<Reply> {
  const options = { idempotencyKey: draft.key }
  try {
    return {
      is: 'accepted',
      acknowledgement: await (draft.type === 'COLLECTION'
        ? malipo.collections.initialize(draft.request, options)
        : malipo.payouts.send(draft.request, options)),
    }
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

/**
 * Sends the drafts at once and judges who was accepted; the model has those from here on. @returns them @throws
 * Violation
 */
export async function submit(model: Model, real: Real, drafts: readonly Draft[]): Promise<readonly Payment[]> {
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
  for (const { draft, reply } of distinct) {
    const twins = accepted.filter((other) => other.draft.reference === draft.reference)
    real.rules.hold(
      'a reference is accepted once',
      reply.is === 'refused' || (twins.length === 1 && !usedBefore.has(draft.reference)),
      `${draft.reference} was accepted ${twins.length + (usedBefore.has(draft.reference) ? 1 : 0)} times`,
      curlOf(real.target.url, draft),
    )
    const { dailyMinor } = knownLimitsOf(real, draft)
    const { atLeast, atMost } = present(usages.get(draft), 'usage of the draft')
    const together = accepted
      .filter((other) => countsAtOnce(other.draft) && sameAccount(other.draft, draft))
      .reduce((sum, other) => sum + other.draft.amountMinor, 0n)
    if (reply.is === 'accepted') {
      real.rules.hold(
        'the daily limit of an account holds',
        !countsAtOnce(draft) || atLeast + together <= dailyMinor,
        `account ${draft.account} of ${draft.way.providerCode} has used ${atLeast + together} of ${dailyMinor} minor units within 24 hours`,
      )
      continue
    }
    const isDuplicate = usedBefore.has(draft.reference) || twins.length > 0
    const pages =
      openPages(model, draft) +
      accepted.filter((other) => isHosted(other) && other.draft.account === draft.account).length
    const isOver = isHosted({ draft })
      ? pages >= OPEN_PAGES_MAX
      : countsAtOnce(draft) && atMost + together + draft.amountMinor > dailyMinor
    // Of another server's accounts we do not know what was used before.
    const mayBeOver = isOver || !standsStill(real)
    const isRight = (reply.status === 409 && isDuplicate) || (reply.status === 400 && mayBeOver)
    real.rules.hold(
      'a right request is accepted',
      isRight,
      () => `${wordsOf(draft)} was refused: ${reply.status} ${reply.message}`,
      curlOf(real.target.url, draft, draft.type === 'PAYOUT' ? '$SECRET_KEY' : undefined),
    )
  }
  const payments = await Promise.all(
    accepted.map(({ draft, acknowledgement }) => adopt(model, real, draft, acknowledgement)),
  )
  // In the order of the drafts, not of the replies: later commands pick payments by number.
  for (const payment of payments) {
    real.rules.hold(
      'an internal reference is given once',
      !model.payments.some(({ internalReference }) => internalReference === payment.internalReference),
      `${payment.internalReference} was given to two payments`,
    )
    model.payments.push(payment)
  }
  return payments
}

interface Answered {
  readonly draft: Draft
  readonly reply: Reply
}

/** The same request with one key, sent several times, is one request: all its replies are the same. */
function onePerKey(answered: readonly Answered[], { rules }: Real): readonly Answered[] {
  const first = new Map<string, Answered>()
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

/** An accepted draft as a payment, looked at for the first time. */
async function adopt(
  model: Model,
  real: Real,
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
  const told = await verifyAccepted(real, draft.reference)
  const payment: Payment = {
    draft,
    type: draft.type,
    reference: draft.reference,
    internalReference: internal_reference,
    paymentUrl,
    acceptedAt: model.now,
    told,
    ended: new Set(),
    account: draft.account,
    stage: { at: 'rail' },
    triesLeft: OTP_TRIES_MAX,
    mayTimeOut: false,
    rejected: draft.type === 'PAYOUT' && real.merchant?.isRejected(draft.reference) === true,
  }
  payment.stage = firstStage(payment)
  if (isHosted(payment))
    rules.hold(
      'a hosted collection has a payment page',
      paymentUrl !== undefined,
      `${draft.reference} was accepted without a payment_url`,
    )
  if (standsStill(real))
    rules.hold(
      'a payment begins as PENDING',
      told.transaction_status === 'PENDING',
      `${draft.reference}, just accepted, is ${told.transaction_status}`,
    )
  checkRecord(payment, told, real)
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

const openPages = ({ payments }: Model, { account }: Draft): number =>
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
