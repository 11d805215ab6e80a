import { collectionChargeOf, creditOf } from '../domain/charge.ts'
import { newTypedReference, typedReference, type ExpectedPayment } from '../domain/expected-payment.ts'
import type { Merchant } from '../domain/merchant.ts'
import { money, type Currency, type Money } from '../domain/money.ts'
import type { PaymentOption } from '../domain/provider.ts'
import { checkDescription, refuseDirectionControls } from '../domain/readable-text.ts'
import { newInternalReference, newMerchantReference, type Random } from '../domain/references.ts'
import { Refusal } from '../domain/refusal.ts'
import { STATUS_MESSAGES } from '../domain/transaction.ts'
import { acceptanceRefusal, amountsOf, findOption, type WireAmount } from './accept-transaction.ts'
import { IdempotencyKeyTaken, once, type IdempotentAcceptance } from './idempotency.ts'
import type { Acceptance, NewTransaction } from './ports/acceptance.ts'
import type { Clock } from './ports/clock.ts'
import type { Acknowledgement, IdempotencyClaim, IdempotencyStore } from './ports/idempotency.ts'
import type { Rail } from './ports/rail.ts'
import type { ReferenceData } from './ports/reference-data.ts'

/** A merchant's request in domain terms. Its amounts are as they were on the wire, in major units. */
export interface ExpectedCollection {
  readonly providerCode: string
  /** Absent: the gateway generates one (`auto` on the wire). */
  readonly merchantReference?: string
  /** What the customer types. Absent: the gateway draws one (`auto` on the wire). */
  readonly reference?: string
  readonly currency: Currency
  /** Absent: any amount from the least to the highest. */
  readonly amount?: WireAmount['amount']
  readonly minAmount?: WireAmount['amount']
  readonly maxAmount?: WireAmount['amount']
  readonly expiresInSeconds: number
  readonly description: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly traceparent?: string | undefined
}

export interface ExpectDeps {
  readonly reference: ReferenceData
  readonly acceptance: Acceptance
  readonly idempotency: IdempotencyStore
  readonly rail: Pick<Rail, 'traitsOf'>
  readonly clock: Clock
  readonly random: Random
}

/**
 * Accepts a collection that its customer starts: by paying the merchant's account at the operator, under a reference.
 * It is PENDING until the operator confirms a payment that fits, and fails when none has come in time.
 * @throws Refusal for every business rule it breaks
 */
export const expectPayment = (
  deps: ExpectDeps,
  merchant: Merchant,
  request: ExpectedCollection,
  claim?: IdempotencyClaim,
): Promise<IdempotentAcceptance> => once(deps, claim, () => accept(deps, merchant, request, claim))

/** Drawn references that are taken: of a thousand million, hardly ever two in a row. */
const DRAWS_MAX = 5

async function accept(
  deps: ExpectDeps,
  merchant: Merchant,
  request: ExpectedCollection,
  claim?: IdempotencyClaim,
): Promise<Acknowledgement> {
  checkDescription(request.description)
  refuseDirectionControls({ description: request.description, customer_name: request.customerName })
  const { providerCode } = request
  const option = findOption(deps.reference, merchant, { providerCode, type: 'COLLECTION', method: 'MOBILE_MONEY' })
  for (let draws = 1; ; draws += 1) {
    const transaction = newExpected(deps, merchant, option, request, claim)
    const { createdAt, internalReference, merchantReference, expects } = transaction
    const result = await deps.acceptance.accept(transaction)
    if (result === 'accepted')
      return {
        internalReference,
        merchantReference,
        onPaymentPage: false,
        typed: { reference: expects.reference, expiresAt: expects.expiresAt.toISOString() },
      }
    if (result === 'idempotency_key_taken') throw new IdempotencyKeyTaken()
    if (typeof result !== 'object' || !('typedReference' in result))
      throw acceptanceRefusal(result, { createdAt, merchantReference }, option) ?? new Error('it was accepted')
    if (request.reference !== undefined || draws === DRAWS_MAX)
      throw new Refusal(
        'duplicate_reference',
        `customer_reference (${request.reference ?? expects.reference}) is that of another payment that is expected`,
      )
  }
}

function newExpected(
  deps: ExpectDeps,
  merchant: Merchant,
  option: PaymentOption,
  request: ExpectedCollection,
  claim?: IdempotencyClaim,
): NewTransaction & { readonly expects: ExpectedPayment } {
  const { providerCode, customerName, customerEmail, traceparent } = request
  const { chargeBps, chargeFlatMinor } = option
  const place = placeOf(deps, option)
  const { least, most } = amountsExpected(option, request, deps.reference)
  const now = deps.clock.now()
  const chargeMinor = collectionChargeOf(least.amountMinor, option, false)
  const expiresAt = new Date(now.getTime() + request.expiresInSeconds * 1_000)
  return {
    merchantId: merchant.id,
    merchantReference: request.merchantReference ?? newMerchantReference(deps.random),
    internalReference: newInternalReference(deps.random, now),
    type: 'COLLECTION',
    method: option.method,
    providerCode,
    account: '',
    request: least,
    amount: least,
    chargeMinor,
    totalMinor: creditOf(least.amountMinor, chargeMinor, false),
    chargeCustomer: false,
    // What comes late lies on suspense: a person decides.
    allowFinalStatusChange: false,
    description: request.description,
    ...(customerName !== undefined && { customerName }),
    ...(customerEmail !== undefined && { customerEmail }),
    traceparent,
    status: 'PENDING',
    statusMessage: STATUS_MESSAGES.awaitingCustomer,
    createdAt: now,
    firstJob: { kind: 'expireExpected', dueAt: expiresAt },
    expects: {
      ...place,
      reference: referenceOf(deps, request),
      minMinor: least.amountMinor,
      maxMinor: most.amountMinor,
      expiresAt,
      chargeBps,
      chargeFlatMinor,
    },
    ...(claim && { idempotency: claim }),
  }
}

/** Where its customer pays, and how that is reported. */
function placeOf(
  { rail }: ExpectDeps,
  { providerCode, railAccount }: PaymentOption,
): Pick<ExpectedPayment, 'paidTo' | 'railAccount' | 'receiptName'> {
  const account = railAccount === undefined ? {} : { railAccount }
  const traits = rail.traitsOf({ type: 'COLLECTION', providerCode, ...account }).unrequested
  const paidTo = railAccount ?? traits?.paidTo
  if (!traits || paidTo === undefined)
    throw new Refusal(
      'invalid_provider',
      `Invalid provider code (${providerCode}): does not report payments that customers start`,
    )
  return { paidTo, ...account, receiptName: traits.receiptName }
}

function referenceOf({ random }: ExpectDeps, { reference }: ExpectedCollection): string {
  const typed = reference === undefined ? newTypedReference(random) : typedReference(reference)
  if (typed === undefined) throw new Refusal('invalid_field', 'customer_reference must have 3 to 20 letters and digits')
  return typed
}

/**
 * The least and the highest amount that may be paid: the same where it is exact, whatever limits come with it. The
 * customer pays no other currency than the provider's.
 */
function amountsExpected(
  option: PaymentOption,
  { currency, amount, minAmount, maxAmount }: ExpectedCollection,
  reference: ReferenceData,
): { readonly least: Money; readonly most: Money } {
  if (currency !== option.currency)
    throw new Refusal('invalid_field', `currency must be ${option.currency}: the customer pays no other`)
  const amountOf = (value: WireAmount['amount'] | undefined, otherwiseMinor: bigint): Money =>
    value === undefined
      ? money(otherwiseMinor, currency)
      : amountsOf(option, { currency, amount: value }, reference).amount
  const exact = amount === undefined ? undefined : amountOf(amount, 0n)
  const [least, most] = [amountOf(minAmount, option.minAmountMinor), amountOf(maxAmount, option.maxAmountMinor)]
  if (exact) return { least: exact, most: exact }
  if (least.amountMinor > most.amountMinor) throw new Refusal('invalid_amount', 'min_amount must be at most max_amount')
  return { least, most }
}
