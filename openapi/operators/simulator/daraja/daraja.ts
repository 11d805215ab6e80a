import { isObject } from '../../../reading/json.ts'
import { createBearerTokens } from '../bearer-tokens.ts'
import type { Call, CallbackText, OpenOperator, Operator, OperatorOptions } from '../operator.ts'
import type { Decision, Order, Verdict } from '../world/order.ts'
import type { OperatorState } from '../world/world.ts'
import { balanceHandlers } from './balances.ts'
import { businessCallback, businessHandlers, PAY_BUSINESS } from './business-payments.ts'
import { C2B, c2bCallbacks, createC2b } from './c2b.ts'
import { DARAJA_DOCUMENT } from './contract.ts'
import { createConversations, type Conversations } from './conversations.ts'
import { createErrorReply, refuseProblem } from './error-replies.ts'
import { SIMULATOR_CERTIFICATE } from './key-pair.ts'
import { DARAJA_NUMBER_WORDS } from './number-words.ts'
import { PAY_OUT, payoutCallback } from './payout-results.ts'
import { payoutHandlers } from './payouts.ts'
import { messageOf, promptOf } from './phone-texts.ts'
import { pullHandlers } from './pull.ts'
import { QUIRKS } from './quirks.ts'
import { openingBalances, SIMULATED_MERCHANT } from './simulated-merchant.ts'
import { STATEMENT_COLUMNS, statementRows } from './statement-form.ts'
import { REVERSAL, reversalCallback, reversalHandlers } from './reversals.ts'
import { statusHandlers } from './status-query.ts'
import { stkPushHandlers } from './stk-push.ts'
import { STK_PUSH, stkCallback } from './stk-results.ts'
import { planOfTestNumber } from './test-numbers.ts'

/** Documented: nearly an hour. */
const TOKEN_SECONDS = 3_599

const CODE_BY_DECISION = { wrong_pin: '2001', cancelled: '1032', expired: '1037' } as const

/** Safaricom's Daraja with M-PESA behind it, as far as the contract describes it. */
export function daraja({ openingBalance }: OperatorOptions = {}): Operator {
  const refuse = createErrorReply()
  return {
    name: 'daraja',
    title: 'Safaricom Daraja',
    document: DARAJA_DOCUMENT,
    windowMs: 60_000,
    secrets: ['password', 'securitycredential', 'access_token'],
    currency: 'KES',
    accounts: openingBalances(openingBalance),
    codeWithoutFunds: '1',
    quirks: QUIRKS,
    open: (world, callbacks) => opened(world, callbacks, refuse),
    problem: (problem) => refuseProblem(problem, refuse),
    refusal: (code, status, message) => refuse(code, message, status),
    decided,
    planOf: ({ msisdn, direction }) => planOfTestNumber(msisdn, direction),
    malipoNumbers: DARAJA_NUMBER_WORDS,
    receipt: (sequence) => `SIM${sequence.toString(36).toUpperCase().padStart(7, '0')}`,
    callbacksOf: (order) =>
      order.kind === C2B ? c2bCallbacks(order) : [(CALLBACKS[order.kind] ?? payoutCallback)(order)],
    prompt: promptOf,
    message: messageOf,
    statement: { columns: STATEMENT_COLUMNS, rows: statementRows },
  }
}

const CALLBACKS: Readonly<Record<string, (order: Order) => CallbackText>> = {
  [STK_PUSH]: stkCallback,
  [PAY_OUT]: payoutCallback,
  [PAY_BUSINESS]: businessCallback,
  [REVERSAL]: reversalCallback,
}

/** One attempt at the PIN; a customer who does nothing counts as not reached. */
const decided = (_order: Order, decision: Decision): Verdict =>
  decision === 'approved' ? { state: 'succeeded' } : { state: 'failed', code: CODE_BY_DECISION[decision] }

function opened(
  world: OperatorState,
  callbacks: Parameters<Operator['open']>[1],
  refuse: ReturnType<typeof createErrorReply>,
): OpenOperator {
  const conversations = createConversations(world)
  const deps = { world, conversations, refuse, send: callbacks.send }
  const { handlers: c2b, unrequested } = createC2b(world, refuse, callbacks)
  const { consumerKey, consumerSecret, passkey, payBill, till, payoutShortCode, initiatorName, initiatorPassword } =
    SIMULATED_MERCHANT
  const tokens = createBearerTokens(world, consumerSecret, TOKEN_SECONDS)
  const basic = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
  return {
    handlers: {
      createToken: () => ({ status: 200, body: { access_token: tokens.issue(), expires_in: lifeOf(world) } }),
      ...stkPushHandlers(world, refuse),
      ...payoutHandlers(deps),
      ...businessHandlers(deps),
      ...balanceHandlers(deps),
      ...statusHandlers(deps),
      ...reversalHandlers(deps),
      ...pullHandlers(world, refuse),
      ...c2b,
    },
    unrequested,
    credentials: {
      consumerKeyAndSecret: ({ authorization }) => authorization === basic,
      accessToken: tokens.isBearer,
    },
    msisdnOf: (request) => msisdnOf(world, conversations, request),
    files: { 'certificate.pem': SIMULATOR_CERTIFICATE },
    printed: [
      { name: 'consumer key', value: consumerKey },
      { name: 'consumer secret', value: consumerSecret },
      { name: 'pay bill', value: payBill },
      { name: 'till', value: `${till}, with ${payBill} as BusinessShortCode` },
      { name: 'passkey', value: passkey },
      { name: 'payouts from', value: `${payoutShortCode} or ${payBill}` },
      { name: 'initiator', value: initiatorName },
      { name: 'its password', value: initiatorPassword },
      { name: 'certificate', value: 'GET /simulator/files/certificate.pem' },
      {
        name: 'test numbers',
        value: '25470000 and four digits of a result code: 254700001032 cancels, 254700000000 pays',
      },
    ],
    railSettings: {
      consumer_key: consumerKey,
      consumer_secret: consumerSecret,
      short_code: payBill,
      passkey,
      payout_short_code: payoutShortCode,
      initiator_name: initiatorName,
      initiator_password: initiatorPassword,
      certificate: SIMULATOR_CERTIFICATE,
      pull: 'yes',
    },
  }
}

/** A text or a number, at random. */
const lifeOf = ({ chance }: Pick<OperatorState, 'chance'>): string | number =>
  parseInt(chance.hex(1), 16) % 2 === 0 ? String(TOKEN_SECONDS) : TOKEN_SECONDS

function msisdnOf(
  { orders }: OperatorState,
  conversations: Conversations,
  { body }: Pick<Call, 'body'>,
): string | undefined {
  if (!isObject(body)) return undefined
  const { PhoneNumber, PartyB, CheckoutRequestID, OriginalConversationID: conversation, TransactionID: receipt } = body
  if (typeof CheckoutRequestID === 'string') return orders.find(STK_PUSH, CheckoutRequestID)?.msisdn
  if (typeof receipt === 'string') return orders.all().find(({ receipts }) => receipts.includes(receipt))?.msisdn
  if (typeof conversation === 'string') return conversations.find(conversation)?.msisdn
  const number = PhoneNumber ?? PartyB
  return typeof number === 'string' ? number : undefined
}
