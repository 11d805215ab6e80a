import { constants, publicEncrypt } from 'node:crypto'
import { expect } from 'vitest'
import { daraja } from '../daraja.ts'
import { compactTime } from '../nairobi-time.ts'
import { SIMULATED_MERCHANT } from '../simulated-merchant.ts'
import type { Scenario } from '../../scenarios/effects.ts'
import type { Simulator } from '../../simulator.ts'
import { receiver, simulated } from '../../testing/simulated.ts'

export interface CallerReply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

type Fields = Readonly<Record<string, unknown>>

export interface DarajaCaller {
  /** Sends a push; `fields` change the body. */
  push(fields?: Fields): Promise<CallerReply>
  query(checkoutRequestId: unknown, fields?: Fields): Promise<CallerReply>
  payOut(fields?: Fields): Promise<CallerReply>
  askStatus(fields: Fields): Promise<CallerReply>
  reverse(fields: Fields): Promise<CallerReply>
  pull(fields?: Fields): Promise<CallerReply>
  /** With any token. */
  post(operation: keyof typeof PATHS, body: unknown, token?: string): Promise<CallerReply>
  token(): Promise<string>
}

const PATHS = {
  stkPush: '/mpesa/stkpush/v1/processrequest',
  queryStkPush: '/mpesa/stkpushquery/v1/query',
  payOut: '/mpesa/b2c/v3/paymentrequest',
  queryTransactionStatus: '/mpesa/transactionstatus/v1/query',
  reverse: '/mpesa/reversal/v1/request',
  pullTransactions: '/pulltransactions/v1/query',
  registerUrls: '/mpesa/c2b/v2/registerurl',
  simulateC2b: '/mpesa/c2b/v2/simulate',
  registerPull: '/pulltransactions/v1/register',
  payBusiness: '/mpesa/b2b/v1/paymentrequest',
  queryBalance: '/mpesa/accountbalance/v1/query',
} as const

const TOKEN_KEPT_MS = 30 * 60_000

/** A number that is no test number. */
export const CUSTOMER = '254712345678'

/** Daraja on a frozen clock, until the test ends. */
export const simulatedDaraja = (options: Parameters<typeof simulated>[1] = {}): Promise<Simulator> =>
  simulated(daraja(), { seed: 1, ...options })

/** Daraja, a merchant's server, and a caller whose orders are reported there. */
export async function darajaWithMerchant(...scenarios: readonly Scenario[]) {
  const simulator = await simulatedDaraja({ scenarios })
  const merchant = await receiver()
  return { simulator, merchant, caller: darajaCaller(simulator, merchant.url) }
}

/** A rail's setting: the initiator's password, encrypted with the certificate. */
export const credentialOf = (password: string): string =>
  publicEncrypt(
    { key: SIMULATED_MERCHANT.certificate, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(password),
  ).toString('base64')

const { payBill, payoutShortCode, passkey, initiatorName, initiatorPassword } = SIMULATED_MERCHANT

type SimulatorUnderTest = Pick<Simulator, 'url' | 'world'>

/** Calls Daraja as a rail does. */
export function darajaCaller(simulator: SimulatorUnderTest, callbacksTo = 'http://127.0.0.1:9'): DarajaCaller {
  const token = () => newToken(simulator.url)
  const post = posting(simulator, tokenKept(simulator.world, token))
  const signed = () => signedAt(simulator.world.clock.now())

  return {
    post,
    token,
    push: (fields = {}) => post('stkPush', { ...signed(), ...pushBody(callbacksTo, fields) }),
    query: (CheckoutRequestID, fields = {}) => post('queryStkPush', { ...signed(), CheckoutRequestID, ...fields }),
    payOut: (fields = {}) => post('payOut', { ...initiator(), ...payOutBody(callbacksTo), ...fields }),
    askStatus: (fields) =>
      post('queryTransactionStatus', { ...initiator(), ...statusQueryBody(callbacksTo), ...fields }),
    reverse: (fields) => post('reverse', { ...initiator(), ...reversalBody(callbacksTo), ...fields }),
    pull: (fields = {}) =>
      post('pullTransactions', {
        ShortCode: payBill,
        StartDate: '2020-01-01 00:00:00',
        EndDate: '2099-01-01 00:00:00',
        OffSetValue: '0',
        ...fields,
      }),
  }
}

async function newToken(url: string): Promise<string> {
  const { consumerKey, consumerSecret } = SIMULATED_MERCHANT
  const response = await fetch(`${url}/oauth/v1/generate?grant_type=client_credentials`, {
    headers: { authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}` },
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

/** Renewed early, by the simulator's clock. */
function tokenKept({ clock }: Simulator['world'], newOne: () => Promise<string>): () => Promise<string> {
  let known: { readonly token: string; readonly untilMs: number } | undefined
  return async () => {
    const nowMs = clock.now().getTime()
    if (known === undefined || known.untilMs <= nowMs) known = { token: await newOne(), untilMs: nowMs + TOKEN_KEPT_MS }
    return known.token
  }
}

const posting =
  ({ url }: SimulatorUnderTest, liveToken: () => Promise<string>): DarajaCaller['post'] =>
  async (operation, body, given) => {
    const bearer = given ?? (await liveToken())
    const response = await fetch(`${url}${PATHS[operation]}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as CallerReply['body'] }
  }

function signedAt(now: Date): Fields {
  const Timestamp = compactTime(now)
  const Password = Buffer.from(`${payBill}${passkey}${Timestamp}`).toString('base64')
  return { BusinessShortCode: payBill, Password, Timestamp }
}

const initiator = (): Fields => ({ SecurityCredential: credentialOf(initiatorPassword), Remarks: 'Payout 7731' })

function pushBody(callbacksTo: string, fields: Fields): Fields {
  const { PhoneNumber = CUSTOMER } = fields
  return {
    TransactionType: 'CustomerPayBillOnline',
    Amount: 500,
    PartyA: PhoneNumber,
    PartyB: payBill,
    PhoneNumber,
    CallBackURL: `${callbacksTo}/push`,
    AccountReference: 'MLPRQZVFYDQT',
    TransactionDesc: 'Invoice 1042',
    ...fields,
  }
}

const payOutBody = (callbacksTo: string): Fields => ({
  OriginatorConversationID: '6f0e2a6c-51b7-4a3f-8f0b-0d8f9a2c4e10',
  InitiatorName: initiatorName,
  CommandID: 'BusinessPayment',
  Amount: 20_000,
  PartyA: payoutShortCode,
  PartyB: CUSTOMER,
  QueueTimeOutURL: `${callbacksTo}/time-out`,
  ResultURL: `${callbacksTo}/result`,
})

const reversalBody = (callbacksTo: string): Fields => ({
  Initiator: initiatorName,
  CommandID: 'TransactionReversal',
  Amount: 500,
  ReceiverParty: payBill,
  RecieverIdentifierType: '11',
  QueueTimeOutURL: `${callbacksTo}/time-out`,
  ResultURL: `${callbacksTo}/reversal`,
})

const statusQueryBody = (callbacksTo: string): Fields => ({
  Initiator: initiatorName,
  CommandID: 'TransactionStatusQuery',
  PartyA: payoutShortCode,
  IdentifierType: '4',
  ResultURL: `${callbacksTo}/status`,
  QueueTimeOutURL: `${callbacksTo}/status-time-out`,
})

/** Queries until there is a status: some queries get an error. */
export async function answeredQuery(
  caller: DarajaCaller,
  checkoutRequestId: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const { status, body } = await caller.query(checkoutRequestId)
    if (status === 200) return body
    expect(body).toMatchObject({ errorCode: '500.001.1001' })
  }
}
