import { isObject } from '../../../reading/json.ts'
import type { Call, Operator, OperatorOptions } from '../operator.ts'
import { unrequestedOrder } from '../unrequested.ts'
import type { NumberWords } from '../scenarios/number-words.ts'
import type { Booking } from '../world/statement.ts'
import type { ReceiverRule } from '../blocked-receivers.ts'
import type { Decision, Order, Verdict } from '../world/order.ts'
import type { OperatorState } from '../world/world.ts'
import { CONTRACT } from './contract.ts'
import { countriesOf, type Countries } from './countries.ts'
import { createCredentials, BUILT_IN_CREDENTIALS } from './credentials.ts'
import { holderHandlers } from './holders.ts'
import { orderHandlers } from './orders.ts'
import { provisioning } from './provisioning.ts'
import { mtnProblem, refused, refusedByFront } from './refusals.ts'
import { callbacksOf, hasQuirk } from './results.ts'
import { planOf, testNumber } from './test-numbers.ts'

const MINUTE_MS = 60_000
/** One of the two texts of MTN's page about callbacks. */
const RECEIVERS: ReceiverRule = {
  answerMs: 2_000,
  retries: { times: 20, everyMs: 1_000 },
  shortBlock: { times: 30, everyMs: 2 * MINUTE_MS },
  longBlock: { everyMs: 60 * MINUTE_MS },
}
const WRONG_PINS_MAX = 3

/**
 * MTN MoMo. `currency` and `environment` make it one country's, `countries` that of several; without them it is the
 * sandbox, which accepts EUR only.
 */
export function mtnMomo({
  currency = 'EUR',
  environment = 'sandbox',
  countries: currencies = { [environment]: currency },
  callbackHost = '127.0.0.1',
  openingBalance,
  blocksReceivers = false,
}: OperatorOptions = {}): Operator {
  const countries = countriesOf(currencies, openingBalance)
  return {
    name: 'mtn-momo',
    title: 'MTN MoMo',
    document: CONTRACT,
    windowMs: 5 * MINUTE_MS,
    secrets: ['ocp-apim-subscription-key', 'apikey', 'access_token'],
    currency: Object.values(currencies)[0] ?? currency,
    accounts: countries.opening,
    codeWithoutFunds: 'NOT_ENOUGH_FUNDS',
    quirks: {
      reason_object: '`reason` as an object with code and message instead of a bare text.',
      not_visible: 'A query returns RESOURCE_NOT_FOUND although the order exists.',
      login_failed_500: 'A token is refused with 500 `login_failed` although the credentials are valid.',
      holder_active: 'In the form that `value` names: bare, text or text_in_object.',
      wrong_pin_ends: 'The first wrong PIN ends the order.',
    },
    open: (world) => opened(world, { currencies, countries, callbackHost }),
    problem: mtnProblem,
    refusal: (code, status, message) =>
      // The proxy in front checks the caller's address, and has no codes.
      status === 403 ? refusedByFront(403, message ?? code) : refused(code, status, message),
    decided,
    planOf(order) {
      if (order.kind === 'refund') return undefined
      const known = testNumber(order.kind === 'collection' ? 'payer' : 'payee', order.msisdn)
      return known && planOf(known)
    },
    malipoNumbers: MTN_NUMBER_WORDS,
    receipt: (sequence) => String(1_363_506_000 + sequence),
    callbacksOf,
    ...(blocksReceivers && { receivers: RECEIVERS }),
    prompt: ({ details }) => ({ title: 'Approve a payment', text: promptText(textOf(details.payerMessage)) }),
    message: messageOf,
    statement: { columns: STATEMENT_COLUMNS, rows: (line) => [statementRow(line)] },
  }
}

interface MtnOptions {
  /** By environment. */
  readonly currencies: Readonly<Record<string, string>>
  readonly countries: Countries
  readonly callbackHost: string
}

function opened(
  world: OperatorState,
  { currencies, countries, callbackHost }: MtnOptions,
): ReturnType<Operator['open']> {
  const credentials = createCredentials(world, callbackHost)
  const [environment = ''] = countries.environments
  const { collection, disbursement } = BUILT_IN_CREDENTIALS
  return {
    handlers: {
      ...provisioning(credentials, environment),
      ...orderHandlers({ world, credentials, countries }),
      ...holderHandlers({ world, countries }),
    },
    credentials: credentials.schemes,
    // No message of MTN's is known about them: they are on the statement.
    unrequested: {
      orderOf: (payment) =>
        unrequestedOrder(world, payment, {
          kind: 'merchant-payment',
          currency: countries.currencyAt(payment.account),
        }),
    },
    msisdnOf: (request) => msisdnOf(world, request),
    printed: [
      ...Object.entries(currencies).flatMap(([name, value]) => [
        { name: 'environment', value: name },
        { name: 'currency', value },
      ]),
      { name: 'callback host', value: callbackHost },
      ...Object.entries(BUILT_IN_CREDENTIALS).flatMap(([product, { subscriptionKey, apiUser, apiKey }]) => [
        { name: `${product} subscription key`, value: subscriptionKey },
        { name: `${product} API user`, value: apiUser },
        { name: `${product} API key`, value: apiKey },
      ]),
    ],
    railSettings: {
      target_environment: environment,
      collection_subscription_key: collection.subscriptionKey,
      collection_api_user: collection.apiUser,
      collection_api_key: collection.apiKey,
      disbursement_subscription_key: disbursement.subscriptionKey,
      disbursement_api_user: disbursement.apiUser,
      disbursement_api_key: disbursement.apiKey,
    },
    countries: Object.entries(currencies).map(([target_environment, currency]) => ({
      currency,
      settings: { target_environment },
    })),
  }
}

function msisdnOf({ orders }: OperatorState, { operation, params, body }: Pick<Call, 'operation' | 'params' | 'body'>) {
  if (params.accountHolderId !== undefined) return params.accountHolderId
  if (params.referenceId !== undefined)
    return Object.keys(STATUS_OF)
      .filter((kind) => operation === STATUS_OF[kind] || (operation === 'notifyPayer' && kind === 'collection'))
      .map((kind) => orders.find(kind, params.referenceId ?? '')?.msisdn)[0]
  if (!isObject(body)) return undefined
  const { payer, payee, referenceIdToRefund } = body
  if (typeof referenceIdToRefund === 'string') return orders.find('collection', referenceIdToRefund)?.msisdn
  const party = payer ?? payee
  return isObject(party) && typeof party.partyId === 'string' ? party.partyId : undefined
}

const STATUS_OF: Readonly<Record<string, string>> = {
  collection: 'getRequestToPayStatus',
  transfer: 'getTransferStatus',
  deposit: 'getDepositStatus',
  refund: 'getRefundStatus',
}

/** Codes by `x-error-codes`; how many wrong PINs MTN allows is not documented. */
function decided(order: Order, decision: Decision): Verdict | undefined {
  switch (decision) {
    case 'approved':
      return { state: 'succeeded' }
    case 'cancelled':
      return { state: 'failed', code: 'APPROVAL_REJECTED' }
    case 'expired':
      return { state: 'failed', code: 'EXPIRED' }
    case 'wrong_pin':
      return order.wrongPins >= WRONG_PINS_MAX || hasQuirk(order, 'wrong_pin_ends')
        ? { state: 'failed', code: 'PAYMENT_NOT_APPROVED' }
        : undefined
  }
}

function messageOf({ state, kind, direction, amount, currency, receipts, code }: Order): string {
  if (state === 'failed') return `The ${kind} of ${currency} ${amount} failed: ${code}.`
  const done = direction === 'in' ? 'You have paid' : 'You have received'
  return `${done} ${currency} ${amount}. Financial transaction id ${receipts[0]}.`
}

const promptText = (message: string): string =>
  `A merchant asks for this payment${message === '' ? '' : `: ${message}`}. Enter your MoMo PIN to approve.`

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

// The real header row is not known (operators' facts): these names are ours, and whoever imports the file maps them.
const STATEMENT_COLUMNS = [
  'Date',
  'Financial Transaction Id',
  'External Id',
  'Reference Id',
  'Type',
  'Direction',
  'MSISDN',
  'Amount',
  'Fee',
  'Currency',
  'Balance',
] as const

const statementRow = (line: Booking): readonly string[] => [
  line.bookedAt.toISOString(),
  line.receipt,
  line.externalId,
  line.orderId,
  line.kind,
  line.direction === 'in' ? 'IN' : 'OUT',
  line.msisdn,
  line.amount,
  line.fee,
  line.currency,
  line.balance,
]

/** How MTN plays the test numbers of Malipo's sandbox. */
const MTN_NUMBER_WORDS: NumberWords = {
  operations: { in: 'requestToPay', out: 'transfer' },
  kinds: ['collection', 'transfer'],
  unable: { in: 'NOT_ENOUGH_FUNDS', out: 'PAYEE_NOT_ALLOWED_TO_RECEIVE' },
  declined: { in: 'APPROVAL_REJECTED', out: 'APPROVAL_REJECTED' },
  expired: { in: 'EXPIRED', out: 'EXPIRED' },
  away: { in: { do: 'close' }, out: { do: 'close' } },
  holderCalls: /Holder(Active|Name)$/,
  reportsAgain: true,
  always: [],
}
