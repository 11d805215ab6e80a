import { sourceFaults } from './planted-fault.ts'

// What an outsider would try first at the admin API. Each is found by a test beside it.

const API = 'server/admin/api/admin-api.test.ts'
const PAYMENTS = 'server/admin/api/payments.test.ts'
const OTHERS = 'server/admin/api/other-merchant.test.ts'
const CHECKS = 'admin/api/admin-checks.ts'
const RUN = 'admin/operations/run-operation.ts'

export const ADMIN_FAULTS = [
  ...sourceFaults('roles', API, {
    'role-not-checked': [
      'lets every role use every operation',
      [CHECKS, 'if (refusal !== undefined) throw new RequestFault(403, refusal)', ''],
    ],
    'staff-operations-for-merchants': [
      'has the operations of staff on the listener of merchants',
      [CHECKS, "audience === 'merchants' && !(row in MERCHANT_OPERATIONS)", 'false'],
    ],
  }),
  ...sourceFaults('scope', OTHERS, {
    'any-merchant-named': [
      'lets people of a merchant name another',
      ['admin/operations/merchant-named.ts', '(own !== undefined && own !== merchant.id)', 'false'],
    ],
    'any-callback-named': [
      'lets people of a merchant name a callback of another',
      ['admin/operations/resend-callbacks.ts', '(own !== undefined && own !== callback.merchant_id)', 'false'],
    ],
  }),
  ...sourceFaults('repetition', API, {
    'key-not-taken': [
      'does again what a double click sends twice',
      [RUN, 'claim ? withClaim(change, claim, operation, context) : change', 'change'],
    ],
    'key-of-another-request': [
      'answers another request under the same key with the outcome of the first',
      [RUN, ' || found.digest !== claim.digest', ''],
    ],
  }),
  ...sourceFaults('audit', API, {
    'reason-not-stored': [
      'leaves the reason out of the audit log',
      [RUN, 'actor, command, subject, reason, reference,', 'actor, command, subject, reason: undefined, reference,'],
    ],
  }),
  ...sourceFaults('audit', PAYMENTS, {
    'reveal-not-audited': [
      'shows a whole account number without an entry in the audit log',
      [
        'admin/api/handlers/payments.ts',
        'await runOperation(context, showFullTransaction, input, { reason: body.reason, claim })',
        '',
      ],
    ],
  }),
  ...sourceFaults('masking', PAYMENTS, {
    'account-not-masked': [
      'shows whole account numbers of payments',
      ['admin/api/handlers/payments.ts', '...toRecord(transaction, false)', '...toRecord(transaction, true)'],
    ],
    'body-not-masked': [
      'shows whole account numbers in bodies of callbacks',
      ['admin/api/handlers/callbacks.ts', "maskedBody(bodies.get(one.id) ?? '')", "bodies.get(one.id) ?? ''"],
    ],
  }),
]
