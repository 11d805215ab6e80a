import { fieldsOf, isFields, type Fields } from '../../harness/json.ts'

/** The operation of a request, and the reply of a right server. */
export interface Case {
  readonly operation: string
  /** The deciding check: `success` when no check refused. */
  readonly decided: Decision
}

export type Decision =
  | 'method'
  | 'key missing'
  | 'key wrong'
  | 'parameter missing'
  | 'parameter invalid'
  | 'media type'
  | 'unknown field'
  | 'body'
  | 'size'
  | 'conflict'
  | 'replay'
  | 'success'

export interface ServerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Fields
}

export interface ServerDefect {
  readonly name: string
  /** Text in the report: one finding, and no other, contains it. */
  readonly shows: RegExp
  /** Refusals that the server omits. */
  readonly ignores?: (given: Case & { readonly detail: string }) => boolean
  readonly spoils?: (answer: ServerAnswer, given: Case) => ServerAnswer
}

const dropHeader = ({ status, headers, body }: ServerAnswer, name: string): ServerAnswer => ({
  status,
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
})
const withStatus = ({ headers, body }: ServerAnswer, status: number): ServerAnswer => ({
  status,
  headers,
  body: { ...body, code: status },
})
const withData = (answer: ServerAnswer, data: unknown): ServerAnswer => ({ ...answer, body: { ...answer.body, data } })
const withEach = (answer: ServerAnswer, list: string, change: (item: Fields) => Fields): ServerAnswer => {
  const items = fieldsOf(answer.body['data'])[list]
  return withData(answer, { [list]: Array.isArray(items) ? items.filter(isFields).map(change) : items })
}
const inSuccess =
  (operation: string, spoil: (answer: ServerAnswer) => ServerAnswer) =>
  (answer: ServerAnswer, given: Case): ServerAnswer =>
    given.operation === operation && (given.decided === 'success' || given.decided === 'replay')
      ? spoil(answer)
      : answer

/** Common mistakes, in lookups, statuses, keys, headers and the envelope. */
export const WRONG_THINGS: readonly ServerDefect[] = [
  {
    name: 'a list of banks is null',
    shows: /payout_banks must be array/,
    spoils: inSuccess('listPayoutBanks', (answer) => withData(answer, { payout_banks: null })),
  },
  {
    name: 'amounts of providers are text',
    shows: /min_amount must be number/,
    spoils: inSuccess('listPaymentProviders', (answer) =>
      withEach(answer, 'payment_providers', (provider) => ({
        ...provider,
        min_amount: String(provider['min_amount']),
      })),
    ),
  },
  {
    name: 'wallets have a field too many',
    shows: /merchant_wallets\/\d must NOT have additional properties/,
    spoils: inSuccess('listWalletBalances', (answer) =>
      withEach(answer, 'merchant_wallets', (wallet) => ({ ...wallet, owner: 'Amina' })),
    ),
  },
  {
    name: 'a lookup treats a missing currency as all currencies',
    shows: /without query currency was answered 200, not 400/,
    ignores: ({ decided, detail }) => decided === 'parameter missing' && detail === 'currency',
  },
  {
    name: 'a currency is not checked',
    shows: /invalid query currency was answered 200, not 400/,
    ignores: ({ decided, detail }) => decided === 'parameter invalid' && detail === 'currency',
  },
  {
    name: 'a collection is created, not accepted',
    shows: /answered 201, not 202/,
    spoils: inSuccess('initializeCollection', (answer) => withStatus(answer, 201)),
  },
  {
    name: 'another method is not found',
    shows: /method that its path does not have was answered 404, not 405/,
    spoils: (answer, { operation, decided }) =>
      decided === 'method' && operation === 'listPayoutBanks' ? withStatus(answer, 404) : answer,
  },
  {
    name: '405 names no method',
    shows: /Allow header does not name/,
    spoils: (answer, { decided }) => (decided === 'method' ? dropHeader(answer, 'allow') : answer),
  },
  {
    name: 'the secret key is not checked',
    shows: /with a wrong secret-key was answered 202, not 401/,
    ignores: ({ operation, decided, detail }) =>
      operation === 'sendFunds' && decided === 'key wrong' && detail === 'secret-key',
  },
  {
    name: 'a missing key is forbidden',
    shows: /without public-key was answered 403, not 401/,
    spoils: (answer, { operation, decided }) =>
      operation === 'verifyTransaction' && decided === 'key missing' ? withStatus(answer, 403) : answer,
  },
  {
    name: '401 does not say how to log in',
    shows: /401 has no header WWW-Authenticate/,
    spoils: (answer) => (answer.status === 401 ? dropHeader(answer, 'www-authenticate') : answer),
  },
  {
    name: 'any version is the first',
    shows: /invalid header x-api-version was answered 20\d, not 400/,
    ignores: ({ decided, detail }) => decided === 'parameter invalid' && detail === 'x-api-version',
  },
  {
    name: 'wallets have no request id',
    shows: /200 has no header X-Request-Id/,
    spoils: inSuccess('listWalletBalances', (answer) => dropHeader(answer, 'x-request-id')),
  },
  {
    name: 'the code of a refusal is text',
    shows: /body\/code must be integer/,
    spoils: (answer, { decided }) =>
      decided === 'unknown field' ? { ...answer, body: { ...answer.body, code: String(answer.status) } } : answer,
  },
  {
    name: 'the code is not the status',
    shows: /has the code 500 in its body/,
    spoils: (answer, { decided }) => (decided === 'body' ? { ...answer, body: { ...answer.body, code: 500 } } : answer),
  },
  {
    name: 'a refused media type is reported in HTML',
    shows: /415 has the media type text\/html/,
    spoils: (answer, { decided }) =>
      decided === 'media type' ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } } : answer,
  },
  {
    name: 'unknown fields are accepted',
    shows: /body field that the contract does not know was answered 202, not 400/,
    ignores: ({ operation, decided }) => operation === 'authorizeCollection' && decided === 'unknown field',
  },
  {
    name: 'a replay does not say that it is one',
    shows: /without Idempotency-Replayed/,
    spoils: (answer, { decided }) => (decided === 'replay' ? dropHeader(answer, 'idempotency-replayed') : answer),
  },
]
