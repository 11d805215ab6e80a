import { blindFaults } from './blind-faults.ts'

const BODY = 'JSON.stringify({ event: callbackEventOf(transaction), payload: transactionRecord(transaction) })'
const RECORD = 'messages/transaction-record.ts'
const SIGN = 'callbacks/sign.ts'

/** Callbacks, their signatures and retries. */
export const CALLBACK_FAULTS = [
  ...blindFaults('callbacks', {
    // Statement: Transaction record, institution_name in the bank collection callback.
    'callback-without-its-bank': [
      'leaves institution_name out of callbacks, and has it in verify (bank collections; callback against verify)',
      [
        RECORD,
        BODY,
        BODY.replace(
          'transactionRecord(transaction)',
          '{ ...transactionRecord(transaction), institution_name: undefined }',
        ),
      ],
    ],
    // Statement: Transaction record, total_debit equals the amount plus the charge.
    'callback-debit-without-charge': [
      'reports total_debit without the charge in callbacks of payouts in KES (one currency; callback against verify)',
      [
        RECORD,
        BODY,
        `{
  const payload = transactionRecord(transaction)
  if (payload.transaction_type === 'PAYOUT' && payload.transaction_currency === 'KES' && payload.total_debit > 0)
    payload.total_debit = payload.transaction_amount
  return JSON.stringify({ event: callbackEventOf(transaction), payload })
}`,
      ],
    ],
    // Statement: States, rule 1, a callback for CANCELLED.
    'cancelled-without-callback': [
      'sends no callback for a collection that its customer cancels',
      [
        'actions/settle-results.ts',
        'steps.flatMap(({ to }) => (to.isAttempt ||',
        "steps.flatMap(({ to }) => (to.isAttempt || to.status === 'CANCELLED' ||",
      ],
    ],
  }),
  ...blindFaults('callback signatures', {
    // Statement: Events, callbacks carry signatures that the merchant verifies.
    'rsa-signs-the-callback-before': [
      'sends one callback in 20 with the RSA signature of the callback before it (intermittent)',
      [
        SIGN,
        "'rsa-signature': await signRsa(rsaKey.privatePem, legacyText),",
        "'rsa-signature': await signRsa(rsaKey.privatePem, textToSign(legacyText)),",
      ],
      [
        SIGN,
        'export async function signatureHeaders({',
        `let callbacksSigned = 0
let lastText = ''
function textToSign(text: string): string {
  const chosen = callbacksSigned++ % 20 === 19 ? lastText : text
  lastText = text
  return chosen
}
export async function signatureHeaders({`,
      ],
    ],
    // Statement: Events; the contract's webhook-signature covers every byte of the body.
    'signature-of-latin-bytes': [
      'signs the body as Latin-1: webhook-signature fits no callback with a name in another script (some names only)',
      [SIGN, '.update(`${id}.${timestampSeconds}.${body}`)', ".update(`${id}.${timestampSeconds}.${body}`, 'latin1')"],
    ],
    // Statement: Payout verification handshake; the contract: the signed text ends with the second full stop.
    'handshake-signs-its-id': [
      'signs the id of a handshake as if it were its body',
      [
        'callbacks/handshake.ts',
        "webhookSignature(webhookSecrets, webhookId, timestamp, body ?? '')",
        'webhookSignature(webhookSecrets, webhookId, timestamp, body ?? webhookId)',
      ],
    ],
  }),
  ...blindFaults('callback retries', {
    // Statement: Events; the contract's webhook-id, "the same over retries".
    'id-of-its-own-per-attempt': [
      'gives each attempt of a callback another webhook-id (two attempts)',
      [
        'callbacks/sender.ts',
        'const { signed, event, webhookId, body } = callback',
        `const { signed, event, body, attempts } = callback
  const webhookId = attempts === 0 ? callback.webhookId : \`\${callback.webhookId.slice(0, -1)}\${attempts % 10}\``,
      ],
    ],
    // Statement: Events; the contract: Retry-After makes the next wait longer, never shorter.
    'retry-after-shortens-the-wait': [
      'waits as long as Retry-After says although that is shorter than the schedule',
      ['domain/callback.ts', 'Math.max(waitMs, queriedMs)', '(queriedMs || waitMs)'],
    ],
  }),
]
