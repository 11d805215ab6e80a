import { X509Certificate } from 'node:crypto'
import type { CheckRow } from '../rail-kind.ts'
import { addressesOf, NO_ADDRESS } from './callback-addresses.ts'
import type { CallResult } from './calls.ts'
import type { DarajaConnection } from './connected.ts'
import { fieldAt } from '../foreign-fields.ts'
import { pullTimeOf } from './nairobi-time.ts'
import { codeIn, reportableCode } from './result-fields.ts'
import { ACCOUNT_TAILS } from './unrequested.ts'

/** With a larger difference the timestamp in a password is wrong: one of the clocks is off. */
const SKEW_MAX_MS = 60_000
const HOUR_MS = 60 * 60 * 1000

/** A sample order: every order's address is built in the same way. */
const ANY_ORDER = '00000000-0000-4000-8000-000000000000'

/**
 * Checks whatever can be checked without moving money. Daraja returns no balance and no account status synchronously,
 * and a wrong passkey shows only at the first prompt.
 */
export async function check(
  connected: DarajaConnection,
  probe: { readonly account?: string },
): Promise<readonly CheckRow[]> {
  const token = await connected.calls.tryToken()
  const serverTime = token.got === 'data' ? token.data.serverTime : undefined
  return [
    { what: 'credentials', ...reported(token, 'a token was given') },
    ...(serverTime ? [clockRow(connected, serverTime)] : []),
    addressRow(connected),
    ...collectionsRow(connected),
    ...payoutsRow(connected),
    ...(token.got === 'data' ? await pullRows(connected) : []),
    ...(token.got === 'data' ? await unrequestedRows(connected) : []),
    ...(probe.account === undefined ? [] : [NO_ACCOUNT_CALL]),
  ]
}

const NO_ACCOUNT_CALL: CheckRow = { what: 'account', ok: true, detail: 'not checked: M-PESA has no call for it' }

/** Contains the operator's text where it refuses. */
function reported(answer: CallResult<unknown>, good: string): Pick<CheckRow, 'ok' | 'detail'> {
  if (answer.got === 'data') return { ok: true, detail: good }
  if (answer.got !== 'refused') return { ok: false, detail: answer.error }
  return { ok: false, detail: [answer.code, answer.words].filter((word) => word !== undefined).join(': ') }
}

function clockRow({ world }: DarajaConnection, serverTime: Date): CheckRow {
  const seconds = Math.round((world.clock.now().getTime() - serverTime.getTime()) / 1000)
  const ok = Math.abs(seconds) * 1000 <= SKEW_MAX_MS
  const detail = ok
    ? "agrees with Safaricom's"
    : `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} Safaricom's`
  return { what: 'clock', ok, detail }
}

function addressRow({ world }: DarajaConnection): CheckRow {
  const url = world.callbackUrl(ANY_ORDER)
  if (url === undefined) return { what: 'callbacks', ok: false, detail: `${NO_ADDRESS}: nothing is sent` }
  return { what: 'callbacks', ok: true, detail: `come to ${new URL(url).host}` }
}

function collectionsRow({ railAccount: { collections, shortCode } }: DarajaConnection): CheckRow[] {
  if (!collections) return []
  const { transactionType, receiver } = collections
  const detail = `${transactionType} by ${shortCode} to ${receiver}; whether the passkey is right shows at the first prompt`
  return [{ what: 'collections', ok: true, detail }]
}

function payoutsRow({ railAccount: { payouts }, world }: DarajaConnection): CheckRow[] {
  if (!payouts) return []
  const { validToDate } = new X509Certificate(payouts.certificate)
  const day = validToDate.toISOString().slice(0, 10)
  const ok = validToDate >= world.clock.now()
  const detail = ok
    ? `the certificate holds until ${day}`
    : `the certificate ended on ${day}: Safaricom's portal has the next`
  return [{ what: 'payouts', ok, detail }]
}

async function pullRows(connected: DarajaConnection): Promise<CheckRow[]> {
  const { railAccount, world, calls } = connected
  if (!railAccount.hasPull)
    return [{ what: 'pull', ok: true, detail: 'not set up: what is lost ends by callback or an operator' }]
  const registered = await pullRegistrationRows(connected)
  const now = world.clock.now()
  const answer = await calls.pull('check', {
    ShortCode: railAccount.shortCode,
    StartDate: pullTimeOf(new Date(now.getTime() - HOUR_MS)),
    EndDate: pullTimeOf(now),
    OffSetValue: '0',
  })
  return [...registered, { what: 'pull', ...reported(answer, 'the payments of the last hour were listed') }]
}

/** Pulling is registered once: a second time it is known. */
async function pullRegistrationRows({ railAccount, world, calls }: DarajaConnection): Promise<CheckRow[]> {
  const { pullNumber, shortCode } = railAccount
  if (pullNumber === undefined) return []
  const what = 'pull registration'
  const addresses = addressesOf({ CallBackURL: world.accountUrl(ACCOUNT_TAILS.pulled) })
  if ('fault' in addresses) return [{ what, ok: false, detail: addresses.fault }]
  const fields = { ShortCode: shortCode, RequestType: 'Pull', NominatedNumber: pullNumber } as const
  const answer = await calls.registerPull({ ...fields, ...addresses.urls })
  const status = answer.got === 'data' ? codeIn(fieldAt(answer.data, 'ResponseStatus')) : undefined
  if (answer.got !== 'data') return [{ what, ...reported(answer, '') }]
  if (status === '1000') return [{ what, ok: true, detail: 'the short code is registered now' }]
  if (status === '1001') return [{ what, ok: true, detail: 'the short code was registered before' }]
  return [{ what, ok: false, detail: `M-PESA answered ${reportableCode(status ?? 'nothing')}` }]
}

/** Registers the addresses: Safaricom takes them once, and says so later on. */
async function unrequestedRows({ railAccount, world, calls }: DarajaConnection): Promise<CheckRow[]> {
  const { takesUnrequested, shortCode } = railAccount
  if (!takesUnrequested) return []
  const what = 'payments without an order'
  const { confirmation, validation } = ACCOUNT_TAILS
  const addresses = addressesOf({
    ConfirmationURL: world.accountUrl(confirmation),
    ValidationURL: world.accountUrl(validation),
  })
  if ('fault' in addresses) return [{ what, ok: false, detail: addresses.fault }]
  const answer = await calls.registerUrls({ ShortCode: shortCode, ResponseType: 'Completed', ...addresses.urls })
  const before =
    answer.got === 'refused' ? REGISTERED_BEFORE.find(({ text }) => text.test(answer.words ?? '')) : undefined
  return [before ? { what, ...before.row } : { what, ...reported(answer, 'their addresses are registered') }]
}

/** Of both refusals only the text says that the short code is registered. */
const REGISTERED_BEFORE = [
  {
    text: /already registered/i,
    row: { ok: true, detail: 'addresses were registered before: if they are others, delete them in the portal' },
  },
  {
    text: /^duplicate notification info/i,
    row: { ok: false, detail: 'addresses are registered on an older system of theirs: ask Safaricom to delete them' },
  },
]
