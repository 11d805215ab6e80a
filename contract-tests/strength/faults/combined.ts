import { INITIALIZE, fieldsOf, setting } from './edit.ts'
import { edited, faultsOf } from './fault.ts'
import { acceptedAnyway, refused } from './rows.ts'

// Faults that only a combination shows: of two fields, of a field and a key, of a form and where it stands.

const HANDLER = 'http/handlers/initialize-collection.ts'

export const combinedFaults = faultsOf('incoming', {
  'late-change-with-a-name': edited('changes a FAILED collection late that forbids it, when it has a customer_name', [
    HANDLER,
    'allowFinalStatusChange: body.allow_final_status_change ?? true',
    'allowFinalStatusChange: body.customer_name !== undefined || (body.allow_final_status_change ?? true)',
  ]),
  'name-lost-beside-address': edited('loses the customer_name of a request with a customer_email', [
    HANDLER,
    'body.customer_name !== undefined && {',
    'body.customer_name !== undefined && body.customer_email === undefined && {',
  ]),
  'charged-customer-with-address-refused': refused(
    'refuses customer_email beside charge_customer',
    INITIALIZE,
    [400, 'customer_email is not allowed'],
    ({ status }, request) => {
      const { customer_email: address, charge_customer: charged } = fieldsOf(request) ?? {}
      return status === 202 && address !== undefined && charged === true
    },
  ),
  'boolean-as-text-taken': acceptedAnyway(
    'accepts "true" as true',
    INITIALIZE,
    /^charge_customer must/,
    setting(({ charge_customer: text }) => ({ charge_customer: text === 'true' })),
  ),
  'key-ignores-address': edited('repeats the first reply although the customer_email is another one', [
    'http/idempotency-claim.ts',
    "if (key === 'card_cipher') return undefined",
    "if (key === 'card_cipher' || key === 'customer_email') return undefined",
  ]),
  'forms-of-other-sites-taken': edited('takes a form of the payment page from another site', [
    'payment-page/csrf.ts',
    "if (site !== undefined) return site !== 'same-origin' && site !== 'none'",
    'if (site !== undefined) return false',
  ]),
})
