import { sourceFaults, type SourceFault } from './planted-fault.ts'

const MTN_SUBMIT = 'rails/mtn-momo/submit.ts'
const PUSH = 'rails/daraja/stk-push.ts'
const JUDGE = 'actions/judge-message.ts'
const FITS = 'actions/message-fits-order.ts'
/** The adapter, which gives receipts with a success only. */
const READ = 'rails/daraja/read-callback.ts'

/** Faults in adapters, exchange and the handling of operators' messages: found under schedules with the real adapters. */
export const WIRE_SCHEDULE_FAULTS: readonly SourceFault[] = [
  // M-PESA reverses a payment once, so that under schedules no money moves twice.
  ...sourceFaults('exchanges', 'server/rails/conformance/adapters.slow.test.ts', {
    'lost-reversal-sent-again': [
      'a reversal whose answer was lost counts as not sent, and goes out a second time',
      [
        'rails/daraja/queued-reply.ts',
        "return { answer: 'unreachable', error: answer.error }",
        "return { answer: 'not_sent', error: answer.error }",
      ],
    ],
  }),
  ...sourceFaults('exchanges', 'wire simulation', {
    'lost-push-sent-again': [
      'a prompt whose answer was lost counts as not sent, and goes out a second time',
      [
        PUSH,
        `
      return { answer: 'unreachable'`,
        `
      return { answer: 'not_sent'`,
      ],
    ],
    'refund-under-new-ids': [
      'each try of a refund has an id of its own, so that MTN does not know it again',
      [
        'rails/mtn-momo/orders.ts',
        "client.POST('/disbursement/v1_0/refund', {\n          params: { header: headerOf(calls, submission) },",
        "client.POST('/disbursement/v1_0/refund', {\n          params: { header: { ...headerOf(calls, submission), 'X-Reference-Id': crypto.randomUUID() } },",
      ],
    ],
    'lost-is-not-sent': [
      'a call that was under way when its connection ended counts as never begun',
      ['rails/exchange/one-call.ts', '(this.#begun ? NoAnswer : NotSent)', '(this.#head ? NoAnswer : NotSent)'],
    ],
    'server-error-refuses': [
      'a 500 that says nothing about money fails the payment',
      [MTN_SUBMIT, 'if (meaning) return unknown', 'if (meaning) return refused(causeOf(code, type))'],
    ],
    'page-of-a-front-refuses': [
      'a 5xx that breaks the contract, an HTML page, fails the payment',
      [
        MTN_SUBMIT,
        "answer: error instanceof NotSent ? 'not_sent' : 'unreachable',",
        "answer: (error instanceof NotSent ? 'not_sent' : 'refused') as 'not_sent', reason: 'no answer', code: 'operator_error',",
      ],
    ],
    // The adapter's fault alone does no harm: an order sent before is queried before a rejection of it counts.
    'duplicate-refuses': [
      'a 409, which says that the first try arrived, fails the payment',
      [MTN_SUBMIT, "'arrived') return { answer: 'accepted' }", "'arrived') return refused(causeOf(code, type))"],
      ['actions/submission-rules.ts', '& answer.answer =', '& answer.answer !'],
    ],
    'duplicate-payout-refuses': [
      'a duplicate OriginatorConversationID fails the payout that it stands for',
      [
        'rails/daraja/payout.ts',
        "answer.code === DUPLICATE) return { answer: 'accepted', externalIds: ours }",
        "answer.code === DUPLICATE) return { answer: 'refused', reason: 'a duplicate', code: 'operator_error' }",
      ],
      ['actions/submission-rules.ts', '& answer.answer =', '& answer.answer !'],
    ],
    'token-refusal-refuses': [
      'a token that is refused in the middle is not renewed, and fails the payment',
      [MTN_SUBMIT, "      return { answer: 'not_sent', error: reportedOf(reply) }", '      return refused(MALFORMED)'],
      ['rails/mtn-momo/calls.ts', 'reply.response.status === 401 ?', 'reply.response.status === 0 ?'],
    ],
  }),
  ...sourceFaults('polls', 'wire simulation', {
    'not-found-is-failed': [
      'an order that the operator does not show yet fails at once',
      [
        'rails/mtn-momo/mtn-momo.ts',
        'return isUnknown ? unknownToMtn(connection, order)',
        "return isUnknown ? (unknownToMtn(connection, order), { knows: 'outcome', outcome: { status: 'FAILED', reason: 'not found', code: 'operator_error' } })",
      ],
    ],
    'answer-about-another': [
      'a reply with another amount counts for the order that was queried',
      ['rails/mtn-momo/results.ts', 'wrong !== undefined', "wrong !== undefined && wrong !== 'amount'"],
    ],
    'unknown-status-fails': [
      'an undocumented status fails the payment',
      ['rails/mtn-momo/results.ts', "(status === 'FAILED'", "(status === 'FAILED' || !isInProgress(status)"],
    ],
    'noise-in-flight-fails': [
      '500.001.1001 in answer to a question, which comes for known prompts too, fails them',
      [
        'rails/daraja/stk-query.ts',
        "if (answer.got !== 'data') return unreachable(reportedOf(answer))",
        "if (answer.got === 'refused') return { knows: 'outcome', outcome: { status: 'FAILED', reason: 'not known', code: 'operator_error' } }\n  if (answer.got !== 'data') return unreachable(reportedOf(answer))",
      ],
    ],
  }),
  ...sourceFaults('messages', 'wire simulation', {
    'spooled-message-lost': [
      'a message that the database did not take is acknowledged and kept nowhere',
      ['verification/simulation/gateway.ts', 'this.spool.add(message, receivedAt)', 'void this.spool'],
    ],
    'spool-gives-up': [
      'a spooled message whose first replay finds the database away is given up',
      ['verification/simulation/message-spool.ts', 'if (!isUnknown(error)) throw error', 'return'],
    ],
    'time-out-in-the-queue-fails': [
      'a payout that waited too long in the queue counts as failed',
      [
        READ,
        '? { mayQuery: false, externalIds: {} }',
        "? { mayQuery: false, externalIds: {}, outcome: { status: 'FAILED', reason: 'time out', code: 'operator_error' } }",
      ],
    ],
    'message-is-believed': [
      'what a message claims counts although the operator could be asked',
      [JUDGE, '!reading.mayQuery', 'reading.outcome'],
    ],
    'message-without-ids-ends': [
      'a success of a failed payment ends unread when the first enquiry after it has no answer',
      [
        'actions/confirm-with-operator.ts',
        ' || !hasIds) return',
        ' || (!hasIds && outcome.status === "FAILED")) return',
      ],
    ],
    'amount-of-message-unread': [
      'a message that names another amount is believed',
      [FITS, 'reading.amount.amountMinor !== amount.amountMinor)', 'reading.amount.amountMinor < 0n)'],
    ],
    'unconfirmed-names-kept': [
      'names of a message that the operator never confirmed become those of the order',
      [JUDGE, "'', ...open", "'', ...open, idsOfAnswer: trustedIds"],
    ],
    'placeholder-binds': [
      'the receipt of a failure binds, so that the next payout that fails with it is a mismatch',
      [FITS, '(isSuccess && receipts) || NONE', 'receipts ?? NONE'],
      ['actions/rail-references.ts', "...(outcome?.status === 'COMPLETED' && receipts)", '...(outcome && receipts)'],
      [READ, 'isPaid ? receiptIn(values) : undefined', 'receiptIn(values)'],
    ],
    'receipt-without-verdict-binds': [
      'a message with a receipt alone turns the genuine success away',
      [
        JUDGE,
        "detail: 'The operator has no result yet', unmappedCode }",
        "detail: 'The operator has no result yet', unmappedCode, idsOfAnswer: reading.receipts ?? {} }",
      ],
      [
        READ,
        "if (!outcome) return optional('unmappedCode', unmappedCode)",
        'if (!outcome) return { receipts: optional(receipts[0], receiptIn(receipts[1])) }',
      ],
    ],
    'question-unchecked': [
      'an answer to a query that nobody sent is believed',
      [JUDGE, '!isAnswerToUs(answersQuestion, names) &&', 'answersQuestion === names.orderedAt?.toString() &&'],
    ],
  }),
]
