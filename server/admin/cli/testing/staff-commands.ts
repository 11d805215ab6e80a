import { expect } from 'vitest'
import type { Merchant } from './operated-gateway.ts'

// Each command of the program is in one of three lists.

export const SECRET = 'a-password-of-nobody'
export const ACCOUNT = 'KE12000000003456'

/** What the commands of the table need. */
export interface StaffSetup {
  readonly merchant: Merchant
  readonly files: Readonly<Record<'mtn' | 'daraja' | 'renewed' | 'statement' | 'logo' | 'payouts', string>>
  readonly urls: Readonly<Record<'mtn' | 'daraja', string>>
}

export const any = expect.any(String) as string
export const like = (pattern: RegExp) => expect.stringMatching(pattern) as string
export const REASON = ['--reason', 'Ticket 4711']
export const ADDED = ['--name', 'Another', '--currency', 'UGX', '--calling-code', '256', '--prefixes', '77']
export const LIMITS = ['--min', '500', '--max', '1000', '--daily', '2000']

interface StaffCommand {
  readonly args: (given: StaffSetup) => readonly string[]
  readonly subject: string | ((given: StaffSetup) => string)
  readonly old?: object
  readonly new: object
  /** It takes nothing away, so it needs no reason. */
  readonly withoutReason?: true
}

const ownTerms = (options: readonly string[], old: object, changed: object): StaffCommand => ({
  args: ({ merchant }) => [merchant.public_key, 'airtel_ug', '--type', 'PAYOUT', ...options],
  subject: ({ merchant }) => merchant.public_key,
  old,
  new: changed,
})

/** In execution order. */
export const LEAVE_AN_ENTRY: Readonly<Record<string, StaffCommand>> = {
  'merchant create': {
    args: () => ['Duka Tatu', '--verification-url', `http://127.0.0.1:8099/handshake?key=${SECRET}`],
    subject: like(/^pub_/),
    new: {
      name: 'Duka Tatu',
      'verification URL': 'http://127.0.0.1:8099/handshake?key=***',
      collections: like(/mtn_ug/),
      payouts: any,
    },
    withoutReason: true,
  },
  'merchant set': {
    args: ({ merchant }) => [
      merchant.public_key,
      '--collection-callback-url',
      `http://127.0.0.1:8099/?token=${SECRET}`,
    ],
    subject: ({ merchant }) => merchant.public_key,
    old: { 'collection callback URL': like(/callbacks\?token=\*\*\*$/) },
    new: { 'collection callback URL': 'http://127.0.0.1:8099/?token=*** (replaced)' },
  },
  'merchant brand': {
    args: ({ merchant, files }) => [merchant.public_key, '--colour', '#0b57a4', '--logo', files.logo],
    subject: ({ merchant }) => merchant.public_key,
    new: { brand_colour: '#0b57a4', logo_digest: like(/^[0-9a-f]{32}$/) },
    withoutReason: true,
  },
  'merchant suspend': {
    args: ({ merchant }) => [merchant.public_key],
    subject: ({ merchant }) => merchant.public_key,
    new: { 'suspended since': any },
  },
  'merchant resume': {
    args: ({ merchant }) => [merchant.public_key],
    subject: ({ merchant }) => merchant.public_key,
    old: { 'suspended since': any },
    new: {},
  },
  'merchant limits set': ownTerms(['--max', '9000'], {}, { max_amount: '9000' }),
  'merchant charges set': ownTerms(['--charge', '1.5'], {}, { charge_basis_points: '150' }),
  'merchant limits remove': ownTerms([], { max_amount: '9000' }, {}),
  'merchant charges remove': ownTerms([], { charge_basis_points: '150' }, {}),
  'keys rotate': {
    args: ({ merchant }) => [merchant.public_key, '--kind', 'secret_key'],
    subject: ({ merchant }) => merchant.public_key,
    old: expect.anything() as object,
    new: expect.anything() as object,
  },
  'keys reseal': {
    args: () => [],
    subject: 'master key',
    new: {},
  },
  'rail add': {
    args: ({ urls, files }) => ['mtn', 'mtn-momo', '--currency', 'UGX', '--base-url', urls.mtn, '--from', files.mtn],
    subject: 'mtn',
    new: expect.objectContaining({
      kind: 'mtn-momo',
      currency: 'UGX',
      address: like(/^http/),
      statement_window_hours: '0',
      collection_api_key: 'set, not shown',
    }) as object,
    withoutReason: true,
  },
  'rail set': {
    args: ({ files }) => ['mtn', '--from', files.renewed, '--set', `statement_account=${ACCOUNT}`, '--new-token'],
    subject: 'mtn',
    old: { collection_api_key: 'set, not shown' },
    new: {
      collection_api_key: 'set, not shown (replaced)',
      statement_account: '…3456 (replaced)',
      'addresses for the operator': 'new',
    },
  },
  'provider add': {
    args: () => ['mtn_staff', ...ADDED, ...LIMITS, '--types', 'COLLECTION', '--rail', 'mtn'],
    subject: 'mtn_staff',
    new: expect.objectContaining({ 'COLLECTION max_amount': '1000', 'COLLECTION rail_account': 'mtn' }) as object,
    withoutReason: true,
  },
  'provider set': {
    args: () => ['mtn_staff', '--no-rail', '--type', 'COLLECTION', '--refunds-charge', 'yes'],
    subject: 'mtn_staff',
    old: { 'COLLECTION rail_account': 'mtn', 'COLLECTION refunds_charge': 'false' },
    new: { 'COLLECTION refunds_charge': 'true' },
  },
  'rail book': {
    args: () => ['mtn', 'in', '5000', '--reference', 'FT-1', '--by', 'Amina'],
    subject: 'mtn',
    new: { movement: '5000 UGX in', 'said by': 'Amina' },
  },
  'statement import': {
    args: ({ files }) => ['mtn', files.statement],
    subject: 'mtn',
    new: { file: 'day.csv', lines: like(/^[1-9]/), 'new lines': like(/^[1-9]/), skipped: '0' },
    withoutReason: true,
  },
  'payout batch': {
    args: ({ files }) => ['pub_sandbox_demo', files.payouts],
    subject: like(/^CSV-/),
    new: { payouts: '1' },
    withoutReason: true,
  },
  'reconcile run': {
    args: () => ['mtn'],
    subject: 'mtn',
    new: { 'statements complete until': 'their last line' },
    withoutReason: true,
  },
  'reconcile note': {
    args: () => ['2', 'Asked MTN, ticket 88213'],
    subject: 'exception 2',
    new: { note: 'Asked MTN, ticket 88213' },
    withoutReason: true,
  },
  'reconcile assign': {
    args: () => ['2', '--nobody'],
    subject: 'exception 2',
    new: {},
    withoutReason: true,
  },
  'reconcile end': {
    args: () => ['2', '--move-to', 'outside', '--by', 'Amina'],
    subject: 'exception 2',
    new: expect.objectContaining({ 'ended by': 'Amina' }) as object,
  },
  'statement pull': {
    args: () => ['daraja', '--since', '1h'],
    subject: 'daraja',
    new: { period: like(/ to /), lines: '0', 'new lines': '0', skipped: '0' },
    withoutReason: true,
  },
  'rail remove': {
    args: () => ['mtn'],
    subject: 'mtn',
    old: expect.objectContaining({ kind: 'mtn-momo', collection_api_key: 'set, not shown' }) as object,
    new: {},
  },
  'rate set': { args: () => ['KES', 'NGN', '11'], subject: 'KES NGN', new: { rate: '11' } },
  'wallet deposit': {
    args: ({ merchant }) => [merchant.public_key, 'UGX', '900', '--reference', 'STAFF-D'],
    subject: ({ merchant }) => merchant.public_key,
    old: { 'payout wallet': any },
    new: { amount: '900 UGX', 'payout wallet': '900 UGX' },
  },
  'wallet transfer': {
    args: ({ merchant }) => [
      merchant.public_key,
      'UGX',
      '900',
      '--from',
      'payout',
      '--to',
      'collection',
      '--reference',
      'STAFF-T',
    ],
    subject: ({ merchant }) => merchant.public_key,
    old: { 'payout wallet': '900 UGX', 'collection wallet': any },
    new: { amount: '900 UGX', 'payout wallet': '0 UGX', 'collection wallet': any },
  },
  'transaction resolve': {
    args: () => ['STAFF-OPEN', '--failed', 'Nothing came'],
    subject: like(/^MLP/),
    old: expect.objectContaining({ status: 'PROCESSING' }) as object,
    new: expect.objectContaining({ status: 'FAILED' }) as object,
  },
  'transaction refund': {
    args: () => ['STAFF-PAID', '--amount', '400', '--reference', 'STAFF-BACK'],
    subject: like(/^MLP/),
    old: { 'left to refund': '5,000 UGX' },
    new: { 'left to refund': '4,600 UGX', refund: 'STAFF-BACK' },
  },
  'transaction cancel': {
    args: () => ['STAFF-PAYOUT'],
    subject: like(/^MLP/),
    old: { status: 'PENDING', message: any },
    new: { status: 'FAILED', message: 'Payout cancelled by the merchant' },
  },
  'approval rules set': { args: () => ['roles'], subject: 'roles', new: { rule: 'every amount' } },
  'approval rules remove': { args: () => ['roles'], subject: 'roles', old: { rule: 'every amount' }, new: {} },
  'callback resend': {
    args: ({ merchant }) => ['--since', '1h', '--merchant', merchant.public_key],
    subject: ({ merchant }) => merchant.public_key,
    new: { callbacks: like(/^[1-3]$/), first: any, last: any },
    withoutReason: true,
  },
}

/** Run on a read-only database. */
export const ONLY_READ: Readonly<Record<string, readonly string[]>> = {
  'merchant show': ['pub_sandbox_demo'],
  'merchant list': [],
  'merchant limits list': ['pub_sandbox_demo'],
  'merchant charges list': ['pub_sandbox_demo'],
  'keys list': ['pub_sandbox_demo'],
  'provider list': [],
  'rail list': [],
  'rail kinds': [],
  'rail show': ['mtn'],
  'rail log': [],
  'rate list': [],
  'wallet show': ['pub_sandbox_demo'],
  'transaction list': [],
  'transaction show': ['ORDER-1'],
  'transaction events': ['ORDER-1'],
  'callback list': [],
  'callback show': ['1'],
  'payout list': ['pub_sandbox_demo'],
  'payout template': [],
  'report volume': [],
  'report balances': [],
  'report statement': ['pub_sandbox_demo', '2026-11'],
  'statement list': [],
  'approval list': [],
  'approval rules list': [],
  'reconcile list': [],
  'reconcile claims': [],
  'suspense list': [],
  'reconcile show': ['2'],
  'people list': [],
  'audit list': [],
  'audit show': ['1'],
  'audit verify': [],
  whoami: [],
}

export const LEAVE_NONE: Readonly<Record<string, string>> = {
  'people first-admin': 'people.test.ts: it prints a code for the first login',
  'people invite': 'people.test.ts: it prints a code for a login',
  'people reset': 'people.test.ts',
  'people change': 'people.test.ts',
  'people end': 'people.test.ts',
  login: 'people.test.ts: it needs a one-time code',
  logout: 'people.test.ts: it needs a login',
  settings: 'names environment variables, and needs no database',
  demo: 'plays on a gateway of its own, in a temporary folder',
  serve: 'starts the gateway: it changes only what merchants and customers request',
  migrate: 'makes the table of the entries; schema_migrations has what was applied, and when',
  'keys withdraw': 'staff-action.test.ts: it needs a key that no longer signs',
  'approval show': 'approval.test.ts: it needs a request, and changes nothing',
  'approval approve': 'approval.test.ts: its entry is that of the approved change',
  'approval refuse': 'approval.test.ts: it needs a request',
  'archive run': 'archive-month.test.ts: a month must be 13 months old; its entry is in the last commit',
  'archive show': 'reads files, and needs no database',
  'archive check': 'compares files with the hash chain, and changes nothing',
  'ledger anchor': 'adds links for what is committed, and nothing else',
  months: 'makes empty partitions, and touches no row',
  'suspense take': 'console/payments/payments.test.ts: it needs money on suspense',
  'suspense return': 'console/payments/payments.test.ts: it needs money on suspense',
  'payout show': 'payout.test.ts: it needs a batch',
  'payout retry': 'payout.test.ts: it needs a payout that failed',
  'rail check': 'queries an operator: the exchange is stored, and `rail log` shows it',
  'rail probe': 'queries an operator: the exchanges are stored, and `rail log` shows them',
  'rail balance': 'queries an operator: the exchange is stored, and `rail log` shows it',
  doctor: 'stores how far it has checked, and nothing else',
}
