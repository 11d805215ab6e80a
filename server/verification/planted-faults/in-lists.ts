import { sourceFaults } from './planted-fault.ts'

// What a merchant would read wrong of its own history. Each is found by a test that reads it.

const LISTS = 'server/verification/end-to-end/lists.test.ts'
const NUMBERS = 'server/storage/merchant-events.test.ts'
const HOLDERS = 'server/verification/end-to-end/account-holders.test.ts'
const HOLDER = 'actions/find-account-holder.ts'
const HOLDER_QUERIES = 'admin/queries/account-holders.ts'
const QUERIES = 'admin/queries/merchant-lists.ts'
const NUMBERING = 'storage/merchant-events.ts'

export const LIST_FAULTS = [
  ...sourceFaults('lists', LISTS, {
    'page-ends-the-list': [
      'ends the list at a page that its filter leaves empty',
      [QUERIES, 'transactions.at(-1)?.id : lowest', 'transactions.at(-1)?.id : undefined'],
    ],
    'prefix-not-asked': [
      'lists all references whatever they begin with',
      ['admin/queries/transactions.ts', '$13::text is null or starts_with(t.merchant_reference, $13)', 'true'],
    ],
    'archived-list-empty': [
      'answers with an empty list where a month is archived',
      ['actions/list-transactions.ts', 'if (query.from) await', 'if (false) await'],
    ],
  }),
  ...sourceFaults('statements', LISTS, {
    'statement-of-all-wallets': [
      'lists the entries of all wallets in the statement of one',
      [QUERIES, 'of page.filter(isAsked))', 'of page)'],
    ],
    'statement-end-included': [
      'has what is booked at the end of a period in two statements',
      ['admin/queries/reports.ts', 'and t.created_at < $3 ${BY_WALLET}', 'and t.created_at <= $3 ${BY_WALLET}'],
    ],
    'file-for-nobody': [
      'answers with the envelope to who asks for a file',
      ['http/handlers/get-statement.ts', 'weight > 0 &&', 'false &&'],
    ],
  }),
  ...sourceFaults('account holders', HOLDERS, {
    'holder-answer-for-a-day': [
      'repeats an answer about an account holder for a day',
      [HOLDER_QUERIES, 'before(now, HOLDER_ANSWER_MS)', 'before(now, HOLDER_QUERIES_KEPT_MS)'],
    ],
    'number-in-audit-log': [
      'writes the whole number of a query into the audit log',
      [HOLDER_QUERIES, '${maskAccount(account)}', '${account}'],
    ],
    'account-asked-without-bound': [
      'asks for one account as often as for all',
      [HOLDER_QUERIES, '...key, QUERIES_PER_ACCOUNT_MAX, now', '...key, perDayMax, now'],
    ],
    'silence-is-no-account': [
      'says that there is no account when the operator does not answer',
      [HOLDER, "if (known.knows === 'unreachable') return undefined", ''],
    ],
    'wrong-secret-key-unnoticed': [
      'takes any secret key where it is optional',
      ['http/key-checks.ts', '(!request.withSecretKey || secretKeyMatches(headers, request.merchant))', 'true'],
    ],
  }),
  ...sourceFaults('events', LISTS, {
    'event-signed-with-its-number': [
      'signs an event with its number in place of its webhook id',
      ['http/handlers/list-events.ts', 'sign(webhookId, body)', 'sign(String(number), body)'],
    ],
  }),
  ...sourceFaults('events', NUMBERS, {
    'numbered-by-two': [
      'lets two workers number at once',
      [NUMBERING, "'select from merchant_event_turn for update skip locked'", "'select from merchant_event_turn'"],
    ],
    'numbers-by-id': [
      'takes the id of a callback for its number',
      [NUMBERING, 'c.last - max(f.place) over (partition by f.merchant_id) + f.place, f.id', 'f.id, f.id'],
    ],
  }),
]
