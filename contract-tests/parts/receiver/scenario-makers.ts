import * as bodies from '../../driver/bodies.ts'
import { OK } from '../../driver/merchant-replies.ts'
import { outcomesOf } from '../../driver/test-numbers.ts'
import type { ScenarioDraw } from './draw.ts'
import type { CustomerPlan, Scenario } from './scenario.ts'

// Payments to a test number. Their outcome is that of the number, unless the changes have another one.

export const REDIRECT_URL = 'https://shop.example/done?order=7&note=a%20b'

const USUAL = { handshakes: [OK], callbacks: [OK], finalAfterMs: 0 }

type ScenarioChanges = Partial<Scenario>
type Fields = Scenario['body']

export function collection(
  { phone, amount, random }: ScenarioDraw,
  name: string,
  ending: string,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario {
  const account = phone(ending)
  const body = bodies.mobileCollection({
    msisdn: account,
    amount: amount(),
    charge_customer: random() < 0.5,
    ...fields,
  })
  const outcomes = outcomesOf('COLLECTION', ending)
  return { ...USUAL, name: `collection ${name}`, operation: 'initializeCollection', body, account, outcomes, ...more }
}

/** On the payment page. */
export const hosted = (
  draw: ScenarioDraw,
  name: string,
  ending: string,
  customer: CustomerPlan,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario =>
  collection(
    draw,
    `on the page ${name}`,
    ending,
    { customer, ...more },
    { mobile_money_hpp: true, redirect_url: REDIRECT_URL, ...fields },
  )

export function bankCollection(
  draw: ScenarioDraw,
  name: string,
  ending: string,
  customer: CustomerPlan,
  more: ScenarioChanges = {},
): Scenario {
  const { amount, account: accountOf } = draw
  const [customer_name, account] = ['Amina Nakato', accountOf('01', ending)]
  const body = bodies.bankCollection({ amount: 1_000 + amount(), redirect_url: REDIRECT_URL, customer_name })
  return collection(draw, `of a bank ${name}`, ending, { body, account, customer, ...more })
}

export function payout(
  { phone, amount }: ScenarioDraw,
  name: string,
  ending: string,
  more: ScenarioChanges = {},
  fields: Fields = {},
): Scenario {
  const account = phone(ending)
  const body = bodies.mobilePayout({ account_number: account, amount: amount(), ...fields })
  const outcomes = outcomesOf('PAYOUT', ending)
  return { ...USUAL, name: `payout ${name}`, operation: 'sendFunds', body, account, outcomes, ...more }
}

export function bankPayout(draw: ScenarioDraw, ending: string): Scenario {
  const account = draw.account('02', ending)
  const fields = bodies.bankPayout({ account_number: account, amount: 1_000 + draw.amount() })
  return payout(draw, `to a bank ${ending}`, ending, { account }, fields)
}
