import { readContract, type Contract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import type { CaseRunner } from '../../driver/case-runner.ts'
import type { DeclaredCase } from '../../driver/declared-case.ts'
import { contractTarget, createOurRunner, exampleDraft, ourRequest } from '../../driver/our-account.ts'
import { fieldsOf } from '../../harness/json.ts'
import { beginPart, present, type Part, type Target } from '../../harness/part.ts'
import { passOn, startProxy, type ProxyOptions, type WireReply } from '../../harness/proxy.ts'
import {
  fixedClock,
  seededRandom,
  startTestGateway,
  type TestGatewayOptions,
} from '../../../server/verification/testing/gateway.ts'
import { asOwner } from '../../../server/verification/testing/database.ts'
import { startFailingHttp, type InjectedFailure } from '../../../server/verification/testing/failing-http.ts'

interface GatewaySetup {
  /** Creates an empty database. */
  readonly newDatabase: () => Promise<TestGatewayOptions['connection']>
  readonly onExchange?: ProxyOptions['onExchange']
}

/** Requests that one bucket allows within the window of the rate limit, at a limit of one per second. */
const BURST = 10
/** Rate limit of one merchant. */
const OPEN_PAGES_MAX = 10
const STATUS_IN: Readonly<Record<InjectedFailure, number>> = { limit: 429, fault: 500, storage: 503, overload: 503 }
/** What an overload refuses; everything else goes on. */
const ACCEPTING = ['initializeCollection', 'sendFunds', 'createPayoutBatch', 'refundCollection', 'expectPayment']

/**
 * Refusals that no request alone causes: settings of staff (switched off, not enabled, an exchange rate, no
 * verification URL), exhausted bounds of an account number, and a failing server (429, 500, 503). Only for gateways of
 * our own.
 */
export const arrangedPart = (setup: GatewaySetup): Part => ({
  name: 'arranged',
  what: 'settings of staff, bounds of an account number; 429, 500 and 503 of every operation',
  async run(target, { seed }) {
    const { done } = beginPart('arranged', seed)
    const context = { target, contract: readContract(target.contract), setup, seed }
    const results = [await withSettings(context)]
    for (const trouble of ['limit', 'fault', 'storage', 'overload'] as const)
      results.push(await inTrouble(context, trouble))
    const sum = (of: 'cases' | 'checks') => results.reduce((total, result) => total + result[of], 0)
    return done({
      findings: results.flatMap(({ findings }) => findings),
      notReproduced: results.flatMap(({ notReproduced }) => notReproduced),
      rules: [...new Set(results.flatMap(({ rules }) => rules))],
      cases: sum('cases'),
      checks: sum('checks'),
    })
  },
})

interface Context {
  readonly target: Target
  readonly contract: Contract
  readonly setup: GatewaySetup
  readonly seed: number
}
type Result = ReturnType<CaseRunner<DeclaredCase>['result']>
type Put = CaseRunner<DeclaredCase>['put']
type Changes = Readonly<Record<string, unknown>>
/** Sends an example of the contract, with changes. */
type SendExample = (id: string, rule: string, status: number, changes: Changes) => ReturnType<Put>

async function through(context: Context, to: string, run: (put: Put) => Promise<void>): Promise<Result> {
  const { target, contract, setup } = context
  const proxy = await startProxy({ to, ...(setup.onExchange && { onExchange: setup.onExchange }) })
  const runner = createOurRunner({ ...target, url: proxy.url }, contract)
  try {
    await run(runner.put)
  } finally {
    await proxy.close()
  }
  const { findings, ...figures } = runner.result()
  // No single request shows it, and this gateway is gone afterwards: the finding names the setting.
  return { ...figures, findings: findings.map(({ curl: _line, ...finding }) => finding) }
}

const SETTINGS = `
  update payment_options set is_active = false where provider_code = 'airtel_ug';
  update banks set is_active = false where bank_code = 'zenith_bank_ng';
  delete from merchant_options where provider_code = 'mtn_zm';
  delete from merchant_options where provider_code = 'mtn_gh' and transaction_type = 'PAYOUT';
  delete from payment_options where provider_code = 'mtn_gh' and transaction_type = 'PAYOUT';
  insert into exchange_rates (from_currency, to_currency, rate, updated_at) values ('USD', 'UGX', 3800, now());
  insert into transaction_references (merchant_id, merchant_reference, transaction_id)
    select id, 'ARRANGED-OLD', 1 from merchants;
  insert into approval_rules (operation, currency, created_at) values ('payouts', 'RWF', now())`

/** What only the owner of the tables may write: a month whose payments are in the archive, with their events. */
const OLD_MONTH = `
  insert into history_months values ('2025-09', 1, 2, now(), now());
  insert into merchant_event_counts (merchant_id, last, archived) select id, 900, 812 from merchants`

const INACTIVE = { provider_code: 'airtel_ug' }
const NOT_ENABLED = { provider_code: 'mtn_zm', currency: 'ZMW' }
const COLLECTIONS_ONLY = { provider_code: 'mtn_gh', currency: 'GHS' }
const INACTIVE_BANK = {
  transaction_method: 'BANK',
  provider_code: 'bank_ng',
  currency: 'NGN',
  account_number: '0690000031',
  extra_params: { bank_code: 'zenith_bank_ng' },
}
const CONVERTED = { merchant_reference: 'ARRANGED-RATE', currency: 'USD', amount: 100 }
/** Only its reference is left in the database: the payment is in the archive files of its month. */
const ARCHIVED = { merchant_reference: 'ARRANGED-OLD' }
/** A payout that nobody approves for this long fails. */
const APPROVAL_MS = 24 * 60 * 60_000
/** Payouts in this currency wait for an approver. */
const WAITING = {
  merchant_reference: 'ARRANGED-WAITS',
  provider_code: 'mtn_rw',
  currency: 'RWF',
  account_number: '250788200123',
}
const PERIOD = { from: '2025-09-01T00:00:00Z', to: '2025-09-30T00:00:00Z' }
const LONG_PERIOD = { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }
const COLLECTIONS = { currency: 'UGX', transaction_type: 'COLLECTION' }

/** The requests with these settings, and the expected status of each. */
const SETTLED: readonly Parameters<SendExample>[] = [
  ['listPaymentProviders', 'providers, one of them switched off', 200, COLLECTIONS],
  ['listPayoutBanks', 'banks, one of them switched off', 200, { provider_code: 'bank_ng' }],
  ['initializeCollection', 'a collection by a provider that is switched off', 400, INACTIVE],
  ['initializeCollection', 'a collection by a provider that is not enabled', 400, NOT_ENABLED],
  ['expectPayment', 'an expected payment at a provider that is switched off', 400, INACTIVE],
  ['expectPayment', 'an expected payment at a provider that is not enabled', 400, NOT_ENABLED],
  ['sendFunds', 'a payout by a provider that is switched off', 400, INACTIVE],
  ['sendFunds', 'a payout by a provider that is not enabled', 400, NOT_ENABLED],
  ['sendFunds', 'a payout by a provider of collections only', 400, COLLECTIONS_ONLY],
  ['sendFunds', 'a payout to a bank that is switched off', 400, INACTIVE_BANK],
  ['initializeCollection', 'a collection in a currency with a rate', 202, CONVERTED],
  ['sendFunds', 'a payout that waits for its approver', 202, WAITING],
  ['verifyTransaction', 'a payout that waits for its approver', 200, { merchant_reference: 'ARRANGED-WAITS' }],
  ['findAccountHolder', 'a holder at a provider that is switched off', 400, { provider_code: 'airtel_ug' }],
  ['findAccountHolder', 'a holder at a provider that is not enabled', 400, { provider_code: 'mtn_zm' }],
  ['verifyTransaction', 'a payment of a month that is archived', 404, ARCHIVED],
  ['listTransactions', 'a list of a month that is archived', 404, { from: PERIOD.from }],
  ['listEvents', 'events that are archived', 404, { after: 5 }],
  ['getStatement', 'a statement of a month that is archived', 404, PERIOD],
  ['getStatement', 'a statement of two months', 400, LONG_PERIOD],
]

const MOVING_MONEY = [
  'initializeCollection',
  'authorizeCollection',
  'sendFunds',
  'createPayoutBatch',
  'refundCollection',
  'expectPayment',
] as const

async function withSettings(context: Context): Promise<Result> {
  const clock = fixedClock()
  const connection = await context.setup.newDatabase()
  const gateway = await startTestGateway({
    connection,
    surroundings: { clock, random: seededRandom(`arranged ${context.seed}`), checkReplies: false },
    env: {
      MALIPO_OTP_SENDS_MAX: '4',
      MALIPO_ACCOUNT_HOLDERS_PER_DAY: '12',
      MALIPO_OTP_WRONG_TRIES_MAX: '1',
      MALIPO_PROMPTS_PER_HOUR: '1',
    },
  })
  const set = async (statement: string): Promise<void> => {
    await gateway.pool.query(statement)
    await gateway.refresh()
  }
  try {
    await asOwner(connection, OLD_MONTH)
    await set(SETTINGS)
    return await through(context, gateway.url, async (put) => {
      const draft = createDraft(context)
      const send: SendExample = (...given) => put(draft(...given))
      await reachBounds(send)
      await reachPromptBounds(send, () => gateway.runDue())
      await reachHolderBounds(send)
      for (const row of SETTLED) await send(...row)
      await gateway.runDue()
      clock.advance(60_000)
      await gateway.runDue()
      await set(`update merchants set redirect_hosts = '{pay.shop.example}'`)
      await send('initializeCollection', 'a collection with a redirect to a host that is not allowed', 400, {
        redirect_url: 'https://shop.example/done',
      })
      await send('verifyTransaction', 'a converted collection', 200, { merchant_reference: 'ARRANGED-RATE' })
      clock.advance(APPROVAL_MS)
      await gateway.runDue()
      const ended = { merchant_reference: 'ARRANGED-WAITS' }
      await send('verifyTransaction', 'a payout that was not approved in time', 200, ended)
      await set('update merchants set verification_url = null')
      await send('sendFunds', 'a payout without a verification URL', 400, {})
      await set('update merchants set suspended_at = now()')
      for (const id of MOVING_MONEY) await send(id, 'a payment of a suspended merchant', 401, {})
      await send('listPaymentProviders', 'a look-up of a suspended merchant', 200, COLLECTIONS)
    })
  } finally {
    await gateway.stop()
  }
}

/** An account number that has used up its OTPs, its guesses and its pages. */
async function reachBounds(send: SendExample): Promise<void> {
  const asksForOtp = { msisdn: '256780100005' }
  const rule = 'a collection that asks for a one-time password'
  const internal_reference = referenceIn(await send('initializeCollection', rule, 202, asksForOtp))
  for (const wrong of ['a wrong OTP', 'an OTP after too many wrong ones'])
    await send('authorizeCollection', wrong, 400, { internal_reference, otp: 999_999 })
  await send('initializeCollection', 'a collection that asks for one OTP too many', 400, asksForOtp)
  const onPage = { msisdn: '256780200123', mobile_money_hpp: true, redirect_url: 'https://shop.example/paid' }
  for (let open = 0; open < OPEN_PAGES_MAX; open++)
    await send('initializeCollection', 'a collection on the payment page', 202, onPage)
  await send('initializeCollection', 'a collection on one payment page too many', 400, onPage)
}

/** An account that was asked for ten times while its operator is silent, and a day that has no holder left. */
async function reachHolderBounds(send: SendExample): Promise<void> {
  const holder = (rule: string, status: number, msisdn: string) => send('findAccountHolder', rule, status, { msisdn })
  for (let asked = 0; asked < 10; asked += 1) await holder('an operator that is silent', 503, '256772000013')
  await holder('an account that was asked for too often', 429, '256772000013')
  for (const msisdn of ['256772000101', '256772000102']) await holder('the last holders of a day', 200, msisdn)
  await holder('one holder too many in a day', 429, '256772000103')
}

/** A phone that has received its prompt: from the second collection, and from the OTP of the second one that waits. */
async function reachPromptBounds(send: SendExample, runDue: () => Promise<unknown>): Promise<void> {
  const phone = { msisdn: '256780300123' }
  await send('initializeCollection', 'a collection with the last prompt of its hour', 202, phone)
  await send('initializeCollection', 'a collection with one prompt too many', 429, phone)
  const waits = () =>
    send('initializeCollection', 'a collection that waits for a one-time password', 202, { msisdn: '256780400005' })
  const accepted = [await waits(), await waits()]
  await runDue()
  for (const [index, status] of [202, 429].entries()) {
    const change = { internal_reference: referenceIn(accepted[index]), otp: 123_456 }
    await send('authorizeCollection', 'the right OTP, with and without room for a prompt', status, change)
  }
}

async function inTrouble(context: Context, trouble: InjectedFailure): Promise<Result> {
  const { target, contract } = context
  const http = await startFailingHttp(trouble)
  try {
    const draft = createDraft(context)
    const wrongKeys = createDraft({ target: { ...target, publicKey: `${target.publicKey}-wrong` }, contract })
    // Uses up the limit without recording: these replies are not under test. With the public key, with both keys, with
    // a wrong key.
    const bursts =
      trouble === 'limit'
        ? [
            draft('listPaymentProviders', '', 200, {}),
            draft('listWalletBalances', '', 200, {}),
            wrongKeys('listPaymentProviders', '', 401, {}),
          ]
        : []
    for (const { request } of bursts) for (let sent = 0; sent < BURST; sent++) await passOn(new URL(http.url), request)
    return await through(context, http.url, async (put) => {
      const operations = contract.operations.filter(
        ({ id, kind }) => kind === 'operation' && (trouble !== 'overload' || ACCEPTING.includes(id)),
      )
      for (const { id } of operations) await put(draft(id, `a request in trouble (${trouble})`, STATUS_IN[trouble], {}))
      if (trouble === 'limit')
        for (const { id } of operations)
          await put(wrongKeys(id, 'a request with wrong keys after too many of them', 429, {}))
    })
  } finally {
    await http.stop()
  }
}

const referenceIn = (reply: WireReply | undefined): unknown =>
  fieldsOf(fieldsOf(jsonOf(reply?.body ?? Buffer.alloc(0)))['data'])['internal_reference']

/** Requests from the contract's own examples, with changes. */
function createDraft({ target, contract }: Pick<Context, 'target' | 'contract'>) {
  const known = contractTarget(target, contract)
  let counter = 0
  return (...[id, rule, status, changes]: Parameters<SendExample>): DeclaredCase => {
    const operation = present(
      contract.operations.find((each) => each.id === id),
      `operation ${id}`,
    )
    const { body, ...draft } = exampleDraft(contract, operation, { next: () => counter++, parameters: changes })
    const request = ourRequest(known, operation, {
      ...draft,
      ...(body !== undefined && { body: { ...fieldsOf(body), ...changes } }),
    })
    return { operation, rule, expect: 'success', statuses: [status], request }
  }
}
