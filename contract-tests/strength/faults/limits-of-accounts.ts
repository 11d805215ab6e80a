import { INITIALIZE, messageOf, PAYMENTS, phoneFor, setting, withBody } from './edit.ts'
import { faultsOf } from './fault.ts'
import { acceptedAnyway, inReplies } from './rows.ts'

// Bounds of an account number that are passed.

export const accountLimitFaults = faultsOf('limits', {
  'daily-limit-of-each-spelling': acceptedAnyway(
    'counts a number with a plus sign toward a daily limit of its own',
    PAYMENTS,
    /^amount exceeds the daily limit/,
    setting((given) => {
      const spelled = Object.entries(given).filter(([, value]) => String(value).startsWith('+'))
      return Object.fromEntries(spelled.map(([name, value]) => [name, phoneFor(String(value))]))
    }),
  ),
  'otps-one-more': inReplies('sends an OTP too many to an account number', INITIALIZE, 400, (reply) => {
    const accepted = '{"code":202,"status":"accepted","message":"Collection accepted","data":{}}'
    return messageOf(reply).startsWith('Too many one-time') ? { ...withBody(reply, accepted), status: 202 } : reply
  }),
})
