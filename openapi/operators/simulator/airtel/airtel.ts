import { createHmac } from 'node:crypto'
import { isObject } from '../../../reading/json.ts'
import { createBearerTokens } from '../bearer-tokens.ts'
import type { Call, CallbackText, OpenOperator, Operator, OperatorOptions } from '../operator.ts'
import { unrequestedOrder } from '../unrequested.ts'
import type { NumberWords } from '../scenarios/number-words.ts'
import type { Booking } from '../world/statement.ts'
import type { Decision, Order, Verdict } from '../world/order.ts'
import type { OperatorState } from '../world/world.ts'
import { accountHandlers } from './accounts.ts'
import { APPLICATION, encryptionKey } from './application.ts'
import { AIRTEL_DOCUMENT, COUNTRIES } from './contract.ts'
import { orderHandlers, type OrderDeps } from './orders.ts'
import { airtelProblem, envelope, refused, stateOf, textOfFront, WITHOUT_FUNDS } from './replies.ts'

const CODES: Readonly<Record<Exclude<Decision, 'approved'>, string>> = {
  wrong_pin: 'DP00800001002',
  cancelled: 'DP00800001008',
  expired: 'DP00800001029',
}

const QUIRKS = {
  ambiguous: 'An enquiry says TA.',
  not_visible: 'An enquiry does not find the order.',
  says_ts: 'The answer to a collection says TS before the customer has done anything.',
  id_false: 'The answer to a collection has false for its id.',
  payout_later: 'A payout is not final in the answer to it.',
  success_true: 'The answer to a refund says success; the documented sample does not.',
  refund_again: 'A second refund of a collection moves its money again.',
  holder_unknown: 'Nobody has the number.',
  holder_barred: 'The number is barred.',
  list_as_object: 'One listed transaction comes as an object.',
}

const OPENING_BALANCE = '1000000'

/** Documented. */
const TOKEN_SECONDS = 180

/** Where callbacks go, by country. */
interface CallbackUrls {
  of(country: string): string | undefined
  set(country: string, url: string): void
}

/** Airtel Money, as far as the contract describes it: one country unless `countries` says which. */
export function airtel({
  environment = 'UG',
  countries: currencies = { [environment]: COUNTRIES.get(environment)?.currency ?? '' },
  openingBalance = OPENING_BALANCE,
  callbackUrl,
  isSigned = false,
  hashesCallbacks = false,
  pinPadding = 'pkcs1',
}: OperatorOptions = {}): Operator {
  const countries = Object.keys(currencies)
  const accountOf = (country: string): string => (countries.length === 1 ? 'wallet' : `wallet ${country}`)
  const set = new Map(typeof callbackUrl === 'string' ? [[countries[0] ?? '', callbackUrl]] : [])
  const urls: CallbackUrls = {
    of: (country) => set.get(country) ?? (typeof callbackUrl === 'function' ? callbackUrl(country) : undefined),
    set: (country, url) => void set.set(country, url),
  }
  return {
    name: 'airtel',
    title: 'Airtel Money',
    document: AIRTEL_DOCUMENT,
    // How long a prompt lives is not known.
    windowMs: 120_000,
    secrets: ['client_secret', 'access_token', 'pin', 'x-key', 'hash'],
    currency: Object.values(currencies)[0] ?? '',
    accounts: Object.fromEntries(countries.map((country) => [accountOf(country), openingBalance])),
    codeWithoutFunds: WITHOUT_FUNDS,
    quirks: QUIRKS,
    open: (world) =>
      opened(
        {
          world,
          countries: new Set(countries),
          accountOf,
          key: encryptionKey().privateKey,
          isSigned,
          padding: pinPadding,
        },
        urls,
      ),
    problem: airtelProblem,
    refusal: (code, status, message) =>
      status === 403 ? textOfFront(403, message ?? code) : refused(code, status, message),
    decided: (_order, decision): Verdict =>
      decision === 'approved' ? { state: 'succeeded' } : { state: 'failed', code: CODES[decision] },
    planOf: () => undefined,
    malipoNumbers: AIRTEL_NUMBER_WORDS,
    receipt: (sequence) => `MP${sequence.toString(36).toUpperCase().padStart(8, '0')}`,
    callbacksOf: (order) => callbacksOf(order, urls, hashesCallbacks),
    prompt: ({ externalId }) => ({
      title: 'Approve a payment',
      text: `A merchant asks for this payment: ${externalId}. Enter your Airtel Money PIN to approve.`,
    }),
    message: messageOf,
    statement: { columns: STATEMENT_COLUMNS, rows: (line) => [statementRow(line)] },
  }
}

function opened(deps: OrderDeps, urls: CallbackUrls): OpenOperator {
  const { world, countries } = deps
  const tokens = createBearerTokens(world, APPLICATION.clientSecret, TOKEN_SECONDS)
  const [country = ''] = countries
  return {
    handlers: {
      createToken: ({ body }: Call<{ readonly client_id: string; readonly client_secret: string }>) =>
        body.client_id === APPLICATION.clientId && body.client_secret === APPLICATION.clientSecret
          ? {
              status: 200,
              body: { access_token: tokens.issue(), expires_in: String(TOKEN_SECONDS), token_type: 'bearer' },
            }
          : { status: 401, body: { error: 'invalid_client', error_description: 'The client is unknown' } },
      getEncryptionKey: () =>
        envelope(
          { key_id: 100, key: encryptionKey().spki, valid_upto: '31-12-2099 23:59:59' },
          { code: 'DP02010001001', success: true },
        ),
      ...orderHandlers(deps),
      ...accountHandlers(deps),
    },
    credentials: { accessToken: tokens.isBearer },
    msisdnOf: (request) => msisdnOf(world, deps.countries, request),
    // No message of Airtel's is known about them: they are on the list.
    unrequested: {
      orderOf: (payment) =>
        unrequestedOrder(world, payment, {
          kind: 'merchant-payment',
          currency: COUNTRIES.get(payment.account.split(' ')[1] ?? country)?.currency ?? '',
        }),
    },
    setCallbackUrl: (url, of = country) => urls.set(of, url),
    printed: printedOf(deps, urls),
    railSettings: railSettingsOf(deps),
    countries: [...countries].map((each) => ({
      currency: COUNTRIES.get(each)?.currency ?? '',
      settings: { country: each },
    })),
  }
}

function printedOf({ countries }: OrderDeps, urls: CallbackUrls): OpenOperator['printed'] {
  const [country = ''] = countries
  return [
    { name: 'countries', value: [...countries].join(', ') },
    { name: 'client id', value: APPLICATION.clientId },
    { name: 'client secret', value: APPLICATION.clientSecret },
    { name: 'PIN', value: APPLICATION.pin },
    { name: 'callback key', value: APPLICATION.callbackKey },
    {
      name: 'callback URL',
      value: urls.of(country) ?? 'none; POST /simulator/callback-url sets it, as the portal does',
    },
  ]
}

function railSettingsOf({ countries, padding, isSigned }: OrderDeps): OpenOperator['railSettings'] {
  const [country = ''] = countries
  return {
    country,
    client_id: APPLICATION.clientId,
    client_secret: APPLICATION.clientSecret,
    pin: APPLICATION.pin,
    pin_padding: padding,
    callback_key: APPLICATION.callbackKey,
    signed_calls: isSigned ? 'collections,payouts,refunds' : 'none',
    payout_version: isSigned ? '3' : '1',
    transactions_list: 'yes',
  }
}

function msisdnOf(
  { orders }: OperatorState,
  countries: ReadonlySet<string>,
  { params, body, operation }: Pick<Call, 'operation' | 'params' | 'body'>,
) {
  if (params.id !== undefined)
    return orders.find(operation === 'getCollectionStatus' ? 'collection' : 'disbursement', params.id)?.msisdn
  const callingCode = (country: unknown): string =>
    COUNTRIES.get(typeof country === 'string' ? country : ([...countries][0] ?? ''))?.callingCode ?? ''
  if (params.msisdn !== undefined) return `${callingCode(undefined)}${params.msisdn}`
  if (!isObject(body)) return undefined
  const { subscriber, payee, transaction } = body
  const party = isObject(subscriber) ? subscriber : payee
  if (isObject(party) && typeof party.msisdn === 'string') return `${callingCode(party.country)}${party.msisdn}`
  const receipt = isObject(transaction) ? transaction.airtel_money_id : undefined
  return orders.all().find(({ receipts }) => typeof receipt === 'string' && receipts.includes(receipt))?.msisdn
}

/** One address per application; neither amount nor number. */
function callbacksOf(order: Order, urls: CallbackUrls, isHashed: boolean): readonly CallbackText[] {
  const url = urls.of(String(order.details['country']))
  if (url === undefined || (order.kind !== 'collection' && order.kind !== 'disbursement')) return []
  const [receipt] = order.receipts
  const { status } = stateOf(order, true)
  const transaction = {
    id: order.id,
    message: order.kind,
    status_code: status === 'TS' ? 'TS' : 'TF',
    ...(receipt !== undefined && { airtel_money_id: receipt }),
  }
  const hash = createHmac('sha256', APPLICATION.callbackKey).update(JSON.stringify(transaction)).digest('base64')
  return [{ operations: { POST: 'transactionCallback' }, url, body: { transaction, ...(isHashed && { hash }) } }]
}

function messageOf({ state, kind, direction, amount, currency, receipts, code }: Order): string {
  if (state === 'failed') return `The ${kind} of ${currency} ${amount} failed: ${code}.`
  return `${direction === 'in' ? 'You have paid' : 'You have received'} ${currency} ${amount}. ID ${receipts[0]}.`
}

const STATEMENT_COLUMNS = [
  'Date',
  'Transaction ID',
  'Reference',
  'Type',
  'MSISDN',
  'Amount',
  'Fee',
  'Currency',
  'Balance',
  'Status',
] as const

const statementRow = (line: Booking): readonly (string | number)[] => [
  line.bookedAt.toISOString(),
  line.receipt,
  // A refund has no id of the merchant's.
  line.kind === 'refund' ? line.externalId : line.orderId,
  line.kind,
  line.msisdn,
  Number(line.direction === 'in' ? line.amount : `-${line.amount}`),
  line.fee,
  line.currency,
  line.balance,
  'TS',
]

/** How Airtel plays the test numbers of Malipo's sandbox. It reports every result once, and no payout expires. */
const AIRTEL_NUMBER_WORDS: NumberWords = {
  operations: { in: 'collect', out: 'payOut' },
  kinds: ['collection', 'disbursement'],
  unable: { in: 'DP00800001007', out: 'DP00900001019' },
  declined: { in: 'DP00800001008', out: 'DP00900001013' },
  expired: { in: 'DP00800001029' },
  away: { in: { do: 'close' }, out: { do: 'close' } },
  holderCalls: /^getHolder$/,
  reportsAgain: false,
  always: [],
}
