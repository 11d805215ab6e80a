// Requests that the sandbox accepts, without the references and account numbers that each sender adds.

type Changes = Readonly<Record<string, unknown>>
type Body = Record<string, unknown>

const MOBILE_MONEY = { transaction_method: 'MOBILE_MONEY', provider_code: 'mtn_ug', currency: 'UGX' }
const BANK = { transaction_method: 'BANK', provider_code: 'bank_ng', currency: 'NGN' }

export const mobileCollection = (changes: Changes): Body => ({
  ...MOBILE_MONEY,
  amount: 5000,
  description: 'Two coffees please',
  ...changes,
})
export const bankCollection = (changes: Changes): Body => ({
  ...BANK,
  amount: 5000,
  description: 'School fees of March',
  ...changes,
})
export const mobilePayout = (changes: Changes): Body => ({
  ...MOBILE_MONEY,
  amount: 500,
  customer_name: 'Amina Nakato',
  description: 'Refund of an order',
  ...changes,
})
export const bankPayout = (changes: Changes): Body => ({
  ...BANK,
  amount: 1000,
  customer_name: 'Ada Obi',
  description: 'Salary of March',
  extra_params: { bank_code: 'access_bank_ng' },
  ...changes,
})
