/** Roles of staff, the most powerful first. */
export const STAFF_ROLES = ['admin', 'finance', 'support', 'developer', 'read-only'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** Roles of a merchant's people. */
export const MERCHANT_ROLES = ['owner', 'finance', 'developer', 'read-only'] as const
export type MerchantRole = (typeof MERCHANT_ROLES)[number]

interface Operation {
  readonly roles: readonly StaffRole[]
  /**
   * Who must be behind it in live mode: `person` a login, because it changes something or reads what is confidential;
   * `machine` nobody, because it needs what only the database's machine has; absent: nobody.
   */
  readonly needs?: 'person' | 'machine'
}

const read: Operation = { roles: STAFF_ROLES }
const machine: Operation = { roles: [], needs: 'machine' }
const by = (...roles: readonly StaffRole[]): Operation => ({ roles: ['admin', ...roles], needs: 'person' })

/** Every operation of staff, in the words of the command line, and the roles that may do it. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  serve: machine,
  demo: machine,
  migrate: machine,
  months: machine,
  'people first-admin': machine,

  login: read,
  logout: read,
  settings: read,
  whoami: read,
  'people list': read,
  'people invite': by(),
  'people reset': by(),
  'people change': by(),
  'people end': by(),
  'audit list': read,
  'audit show': read,
  'audit verify': read,

  'merchant list': read,
  'merchant show': read,
  'merchant create': by(),
  'merchant set': by('developer'),
  'merchant brand': by('support', 'developer'),
  'merchant suspend': by('finance', 'support'),
  'merchant resume': by('finance'),
  'merchant limits list': read,
  'merchant limits set': by('finance'),
  'merchant limits remove': by('finance'),
  'merchant charges list': read,
  'merchant charges set': by('finance'),
  'merchant charges remove': by('finance'),
  'keys list': read,
  'keys rotate': by('developer'),
  'keys withdraw': by('developer'),
  'keys reseal': by(),

  'provider list': read,
  'provider add': by('developer'),
  'provider set': by('finance'),
  'rate list': read,
  'rate set': by('finance'),
  'rail list': read,
  'rail kinds': read,
  'rail show': read,
  'rail log': read,
  'rail check': by('finance', 'support', 'developer'),
  'rail probe': by('developer'),
  'rail balance': by('finance', 'support', 'developer'),
  'rail add': by('developer'),
  'rail set': by('developer'),
  'rail remove': by('developer'),
  'rail book': by('finance'),

  'wallet show': read,
  'wallet deposit': by('finance'),
  'wallet transfer': by('finance'),
  'transaction list': read,
  'transaction show': read,
  'transaction show --full': by('finance', 'support'),
  'transaction events': read,
  'transaction resolve': by('finance'),
  'transaction refund': by('finance'),
  'transaction cancel': by('finance', 'support'),
  'payout list': read,
  'payout show': read,
  'payout template': read,
  'payout batch': by(),
  'payout retry': by(),
  'callback list': read,
  'callback show': read,
  'callback resend': by('finance', 'support', 'developer'),

  'report volume': read,
  'report balances': read,
  'report statement': read,
  'approval list': read,
  'approval show': read,
  'approval approve': by('finance', 'developer'),
  'approval refuse': by('finance', 'developer'),
  'approval rules list': read,
  'approval rules set': by(),
  'approval rules remove': by(),
  'statement list': read,
  'statement import': by('finance'),
  'statement pull': by('finance'),
  'reconcile list': read,
  'reconcile claims': read,
  'reconcile show': read,
  'reconcile run': by('finance'),
  'reconcile note': by('finance', 'support'),
  'reconcile assign': by('finance', 'support'),
  'reconcile end': by('finance'),
  'suspense list': read,
  'suspense return': by('finance'),
  'suspense take': by('finance'),
  'archive run': by(),
  'archive show': read,
  'archive check': read,
  'ledger anchor': read,
  doctor: read,
}

/** What people of a merchant may do with their own merchant. */
export const MERCHANT_OPERATIONS: Readonly<Record<string, readonly MerchantRole[]>> = {
  whoami: MERCHANT_ROLES,
  'merchant show': MERCHANT_ROLES,
  'wallet show': MERCHANT_ROLES,
  'transaction list': MERCHANT_ROLES,
  'transaction show': MERCHANT_ROLES,
  'transaction events': MERCHANT_ROLES,
  'payout list': MERCHANT_ROLES,
  'payout show': MERCHANT_ROLES,
  'payout batch': ['owner', 'finance'],
  'payout retry': ['owner', 'finance'],
  'callback list': MERCHANT_ROLES,
  'callback show': MERCHANT_ROLES,
  'report statement': MERCHANT_ROLES,
  'transaction show --full': ['owner', 'finance'],
  'transaction refund': ['owner', 'finance'],
  'transaction cancel': ['owner', 'finance'],
  'callback resend': ['owner', 'developer'],
  'approval list': MERCHANT_ROLES,
  'approval show': MERCHANT_ROLES,
  'approval approve': ['owner', 'finance'],
  'approval refuse': ['owner', 'finance'],
  'keys list': ['owner', 'developer'],
  'keys rotate': ['owner', 'developer'],
  'merchant set': ['owner', 'developer'],
  'merchant brand': ['owner'],
  'people list': ['owner'],
  'people invite': ['owner'],
  'people reset': ['owner'],
  'people change': ['owner'],
  'people end': ['owner'],
}

/** An operation without a row is the admins'. */
export const operationNamed = (name: string): Operation => OPERATIONS[name] ?? by()
