import { randomUUID } from 'node:crypto'
import { money } from '../../../domain/money.ts'
import { KNOWN_COLLECTION, NEVER_COLLECTION, QUERIED_PAYOUT, REPORTED_PAYOUT } from '../counterparts/index.ts'
import { adapterThat, bodiesThat, callsThat, lostAnswersThat, worldThat, railFaults } from './plant.ts'

const ACCEPTED = () => new Response(null, { status: 202, headers: { 'content-length': '0' } })

/** Faults in the submitted order, and in how an adapter reads the reply. */
export const IN_ORDERS = railFaults('orders', {
  'prompt-repeatable': {
    does: 'says that a prompt may be repeated',
    rail: NEVER_COLLECTION,
    breaks: [
      'the same order twice moves money once, or the rail says `never`',
      'an order with a lost reply is moved once and booked once',
      'an order that was never read is resent, or waits for staff',
    ],
    wrong: adapterThat(({ traitsOf }) => ({
      traitsOf: (type) => ({ ...traitsOf(type), repeat: 'safe', unanswered: 'repeat' }),
    })),
  },
  'new-id-per-attempt': {
    does: 'sends an order with a new id each time',
    rail: QUERIED_PAYOUT,
    breaks: ['the same order twice moves money once, or the rail says `never`', 'cents go out and come back exactly'],
    wrong: callsThat((call, { purpose }) => (request) => {
      if (purpose !== 'submit') return call(request)
      const headers = new Headers(request.headers)
      headers.set('x-reference-id', randomUUID())
      return call(new Request(request, { headers }))
    }),
  },
  'lost-order-retried-by-rail': {
    does: 'tries a lost order again by itself',
    rail: NEVER_COLLECTION,
    breaks: [
      'lost after acceptance: unknown, and not resent by the rail itself',
      'cut in the middle of the reply: unknown',
    ],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        const isLost = answer.answer === 'unreachable' && /the connection ended/.test(answer.error)
        return isLost ? submit(order) : answer
      },
    })),
  },
  'lost-order-not-sent': {
    does: 'calls a lost order not sent',
    rail: NEVER_COLLECTION,
    breaks: ['lost before it is read: unknown'],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        const isLost = answer.answer === 'unreachable' && /the connection ended/.test(answer.error)
        return isLost ? { ...answer, answer: 'not_sent' } : answer
      },
    })),
  },
  'html-is-acceptance': {
    does: 'takes a page of HTML for a yes',
    rail: KNOWN_COLLECTION,
    breaks: ['an HTML page: unknown, whatever its status', 'a good reply of another content type: unknown'],
    wrong: lostAnswersThat(({ message }) => (/content type|declares none/.test(message) ? ACCEPTED() : undefined)),
  },
  'garbage-is-acceptance': {
    does: 'takes what is not HTTP for a yes',
    rail: QUERIED_PAYOUT,
    breaks: ['what is not HTTP: unknown'],
    wrong: lostAnswersThat(({ message }) => (/not valid HTTP/.test(message) ? ACCEPTED() : undefined)),
  },
  'server-error-is-refusal': {
    does: 'calls HTTP 5xx a refusal',
    rail: KNOWN_COLLECTION,
    breaks: ["HTTP 5xx without the operator's own body: unknown"],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'unreachable' && /status 50[34]/.test(answer.error)
          ? { answer: 'refused', reason: 'Mobile money is out of order' }
          : answer
      },
    })),
  },
  'undocumented-code-is-refusal': {
    does: 'calls a code that it does not know a refusal',
    rail: REPORTED_PAYOUT,
    breaks: ['a code without a word on money is no refusal'],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'unreachable' && /answered \d{3}\.\d{3}/.test(answer.error)
          ? { answer: 'refused', reason: 'M-PESA did not take the payout' }
          : answer
      },
    })),
  },
  'refusal-is-unknown': {
    does: 'calls a refusal unknown',
    rail: REPORTED_PAYOUT,
    breaks: ['a documented refusal is a refusal, with its code'],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'refused' ? { answer: 'unreachable', error: answer.reason } : answer
      },
    })),
  },
  'operator-words-to-customer': {
    does: "gives the operator's own words to the customer",
    rail: KNOWN_COLLECTION,
    breaks: ['a documented refusal is a refusal, with its code'],
    wrong: (kind) => {
      let words = ''
      const receives = callsThat((call) => async (request) => {
        const reply = await call(request)
        words = await reply.clone().text()
        return reply
      })
      const repeats = adapterThat(({ submit }) => ({
        async submit(order) {
          const answer = await submit(order)
          return answer.answer === 'refused' ? { ...answer, reason: `${answer.reason}: ${words}` } : answer
        },
      }))
      return repeats(receives(kind))
    },
  },
  'duplicate-is-refusal': {
    does: 'calls an order that has arrived refused',
    rail: REPORTED_PAYOUT,
    breaks: ['a duplicate refusal means that the order has arrived'],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'accepted' && answer.externalIds?.['ConversationID'] === undefined
          ? { answer: 'refused', reason: 'M-PESA did not take the payout' }
          : answer
      },
    })),
  },
  'cents-rounded-away': {
    does: 'rounds cents away',
    rail: NEVER_COLLECTION,
    breaks: ['an amount that the operator cannot express is never sent'],
    wrong: adapterThat(({ submit }) => ({
      submit: ({ amount: { amountMinor, currency }, ...order }) =>
        submit({ ...order, amount: money(amountMinor - (amountMinor % 100n), currency) }),
    })),
  },
  'amounts-as-binary-fractions': {
    does: 'reads amounts as binary fractions',
    rail: QUERIED_PAYOUT,
    breaks: ['amount, currency, account and our id go out exactly'],
    wrong: bodiesThat((body) => ({ ...body, amount: BigInt(Number(body['amount'])).toString() })),
  },
  'internal-id-on-screen': {
    does: "writes our reference onto the customer's screen",
    rail: KNOWN_COLLECTION,
    breaks: ['customers read no internal id'],
    wrong: bodiesThat((body) => ({ ...body, payerMessage: `Payment ${String(body['externalId'])}` })),
  },
  'local-time-sent': {
    does: 'writes times as the machine has them',
    rail: NEVER_COLLECTION,
    breaks: ['requests carry the time that all processes share'],
    wrong: worldThat(({ clock }) => ({ clock: { now: () => new Date(clock.now().getTime() - 3 * 3_600_000) } })),
  },
})
