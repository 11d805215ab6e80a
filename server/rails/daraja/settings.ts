import { X509Certificate, type KeyObject } from 'node:crypto'
import type { RailSetting } from '../rail-kind.ts'
import { plainPattern } from '../customer-text.ts'
import { oneOf, seconds } from '../setting-faults.ts'

/** The documented limit of `TransactionDesc`. */
export const PROMPT_TEXT_MAX = 13
/** The length limit of `Remarks` is undocumented: a short one is the safe choice. */
export const PAYOUT_TEXT_MAX = 100

/** Shown for an empty list of codes. */
export const NO_CODES = 'none'

const digits = (value: string): string | undefined =>
  /^[0-9]{5,10}$/.test(value) ? undefined : 'must be the 5 to 10 digits of a pay bill or till number'

const listOfCodes = (value: string): string | undefined =>
  /^[A-Za-z0-9_.]+(, *[A-Za-z0-9_.]+)*$/.test(value) ? undefined : 'must be codes with commas between them'

const BANK_ENTRY = /^([A-Za-z0-9_.-]{1,80})=([0-9]{5,10})$/
const bankEntries = (value: string): readonly string[] => value.split(',').map((entry) => entry.trim())

/** By the provider's bank code. @param value of `bank_paybills`, which has no fault */
export const payBillsOf = (value: string): ReadonlyMap<string, string> =>
  new Map(
    bankEntries(value).map((entry) => {
      const [, bank = '', number = ''] = BANK_ENTRY.exec(entry) ?? []
      return [bank, number]
    }),
  )

/** What is wrong with a certificate, without repeating any of it. */
function certificateFault(value: string): string | undefined {
  try {
    const { asymmetricKeyType } = new X509Certificate(value).publicKey
    return asymmetricKeyType === 'rsa' ? undefined : 'must be a certificate with an RSA key'
  } catch {
    return 'must be a certificate in PEM, from BEGIN CERTIFICATE to END CERTIFICATE'
  }
}

/**
 * The settings of a Daraja rail account. Facts that its contract marks as documented are rules in the code; whatever
 * is unverified, or specific to the company, is a setting.
 */
export const DARAJA_SETTINGS = {
  consumer_key: { meaning: "the consumer key of the app in Safaricom's portal", secret: true },
  consumer_secret: { meaning: 'the consumer secret of that app', secret: true },
  short_code: {
    meaning: 'the pay bill number, or the head office number of a till, that collects',
    fixed: 'while_open',
    fault: digits,
  },
  passkey: {
    meaning: 'the passkey of Lipa na M-PESA online; without it nothing is collected',
    secret: true,
    optional: true,
  },
  transaction_type: {
    meaning: 'what customers pay to: `paybill`, or `buygoods` for a till',
    default: 'paybill',
    fault: oneOf('paybill', 'buygoods'),
  },
  till_number: { meaning: 'the till that receives, where it is not the short code', optional: true, fault: digits },
  prompt_text: {
    meaning:
      'a word or two that the customer may read beside the amount; `{merchant}` stands for the name of the merchant',
    default: '{merchant}',
    fault: plainPattern(PROMPT_TEXT_MAX),
  },
  payout_short_code: {
    meaning: 'the number that pays out, where it is not the short code',
    optional: true,
    fixed: 'while_open',
    fault: digits,
  },
  initiator_name: {
    meaning: 'the API operator of the number that pays out; without one nothing is paid',
    optional: true,
  },
  initiator_password: { meaning: 'the password of that API operator', secret: true, optional: true },
  certificate: {
    meaning: "Safaricom's certificate for that password, in PEM: the sandbox and production have one each",
    optional: true,
    fault: certificateFault,
  },
  payouts_to: {
    meaning:
      'whom it pays: `phones`, or `banks` by their pay bill numbers (B2B), for a provider of banks with a rail account of its own',
    default: 'phones',
    fixed: 'while_open',
    fault: oneOf('phones', 'banks'),
  },
  bank_paybills: {
    meaning:
      "the pay bill number of each bank that payouts go to: `BANK_CODE=247247, …`, by the provider's bank codes; with `payouts_to` banks only",
    optional: true,
    fault: (value) => {
      const wrong = bankEntries(value).find((entry) => !BANK_ENTRY.test(entry))
      return wrong === undefined ? undefined : `must be BANK_CODE=number, separated by commas: ${wrong} is not`
    },
  },
  payout_text: {
    meaning:
      'the remark on a payout; `{merchant}` stands for the name of the merchant, `{reference}` for its reference',
    default: '{merchant} {reference}',
    fault: plainPattern(PAYOUT_TEXT_MAX),
  },
  payout_failed_codes: {
    meaning:
      'the result codes of a payout that mean for certain that nothing was paid, beside the documented ones; `none` for no others',
    default: NO_CODES,
    fault: listOfCodes,
  },
  reversal_repeat: {
    meaning:
      'whether a reversal without an answer may go out again: `never`, or `safe` where your own trials have shown that the second one moves nothing',
    default: 'never',
    fault: oneOf('never', 'safe'),
  },
  unrequested: {
    meaning:
      'whether customers may pay the short code without a prompt: with `yes`, `malipo rail check` registers where M-PESA asks and reports; each such payment is booked once `pull` or a statement confirms it',
    default: 'no',
    fault: oneOf('yes', 'no'),
  },
  pull: {
    meaning: 'whether what the short code receives may be listed (pull transactions): `yes` or `no`',
    default: 'no',
    fault: oneOf('yes', 'no'),
  },
  pull_number: {
    meaning:
      'the telephone of a person who answers for the short code, 254 and nine digits: with it, `malipo rail check` registers the short code for pull transactions',
    optional: true,
    fault: (value) => (/^254[0-9]{9}$/.test(value) ? undefined : 'must be 254 and nine digits'),
  },
  pull_every_seconds: {
    meaning: 'how long one pull of transactions serves all searches for lost orders',
    default: '300',
    fault: seconds(1, 3600),
  },
  push_error_1001: {
    meaning:
      'what 500.001.1001 in answer to a prompt means: `unknown`, or `refused` where your own trials have shown that no prompt follows it',
    default: 'unknown',
    fault: oneOf('unknown', 'refused'),
  },
  push_throttled: {
    meaning:
      'what "spike arrest" or "quota violation" in answer to a prompt means: `unknown`, or `not_sent` where your own trials have shown that no prompt follows it; then it is sent again, eight times at most',
    default: 'unknown',
    fault: oneOf('unknown', 'not_sent'),
  },
  collection_ask_after_seconds: {
    meaning: 'when a prompt without a result is polled first; each further wait is twice as long, up to ten minutes',
    default: '20',
    fault: seconds(5, 600),
  },
  payout_ask_after_seconds: {
    meaning: 'when a payout without a result is polled first; each further wait is twice as long, up to an hour',
    default: '120',
    fault: seconds(30, 3600),
  },
} as const satisfies Readonly<Record<string, RailSetting>>

export type SettingName = keyof typeof DARAJA_SETTINGS

/** @throws Error for what `certificateFault` finds */
export const publicKeyOf = (certificate: string): KeyObject => new X509Certificate(certificate).publicKey
