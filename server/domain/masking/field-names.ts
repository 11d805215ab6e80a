/** The sensitivity of a field's value, as far as the field's name shows it. */
export type Sensitivity = 'secret' | 'person' | 'account' | 'address' | 'plain' | 'unknown'

/**
 * Splits names in any notation: `payerName`, `payer_name`, `PAYER-NAME` and `Payer Name` are the words payer and name.
 */
const WORD_END = /[^A-Za-z\d]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/

const SECRET_PART =
  /token|secret|passw|pass(?:key|code|phrase)|credential|authori[sz]ation|cookie|(?:api|private)key|motdepasse|senha|nywila|onetime(?:pin|code)|(?:verif(?:ication|y)|security|activation|auth(?:entication)?|access|login|sms)code/
const SECRET_WORD = /^(?:[emu]?pin|[ht]?otp|cv[cv]2?|csc|pwd|jwt)$/
/** Names without word boundaries: `smsotp`, `customerpin`. */
const SECRET_ALL = /^otp|otp$|^(?:user|customer|payer|wallet|card|atm|new|old|current)pin$|^pin(?:code|number|no)$|pwd$/
const SECRET_LAST = /^(?:key|auth|bearer|pass)$/
/** `access_token` is secret, `token_type` and `Key` beside `Value` are not. */
const OPEN_ALL = /^(?:key|idempotencykey|publickey)$/
/** The value describes the secret and does not contain it: `pinStatus`, `token_expires_at`. */
const ABOUT =
  /^(?:types?|status|expir\w*|required|sent|valid|validity|verified|count|length|retries|attempts|enabled|ttl)$/

const NAME_END = /names?$/
const PERSONS =
  /payer|payee|customer|client|subscriber|sender|receiver|recipient|beneficiary|holder|owner|user|person|contact|debtor|creditor|public|first|last|given|family|middle|maiden|full|^sur$|^[fml]$|nick|display|legal|registered|card|party|consumer|account|buyer|depositor|remitter|^(?:cust|acct?|benef?)$/
const PERSON_ALL = /birth|^dob$|^e?mail$|emailaddress$|nationalid|passport|^(?:nom|nome|jina|prenoms?|nomcomplet)$/

const PARTIES =
  'payer|payee|customer|client|subscriber|sender|receiver|recipient|beneficiary|debtor|creditor|depositor|remitter'
const ACCOUNT_ALL = new RegExp(
  `msisdn|phone|whatsapp|mobile|account$|holder$|^(?:tel|cell|cellular|iban|bban|pan|party[ab]|(?:${PARTIES})(?:party)?)$`,
)
const ACCOUNT_ID = new RegExp(`(?:party|holder|account|acct?|wallet|user|${PARTIES})id(?:entifier)?$`)
const ACCOUNT_NUMBER = /(?:account|acct?|card|wallet|tel|cell|pan)(?:num(?:ber)?|no)$/

/** Our own addresses contain the secret token. */
const ADDRESS = /ur[il]$|^location$/
/**
 * Times, amounts and transaction ids are as long as phone numbers. M-PESA's account and bill references may be an
 * account at a bank.
 */
const PLAIN =
  /amount|balance|(?<!up|man|vali|candi)date|time|stamp|id$|(?<!account|bill)reference|receipt|code$|contentlength|(?:ed|es)at$|(?:(?<![bc])order|invoice|transaction|trans|txn|ticket|batch)(?:no|num|number|ref)?$|^(?:exp|iat|nbf|total)$|ratelimitreset$/

/** A longer text is not a name. Both ends are checked all the same: `…password` and `password…` are secret. */
const NAME_END_CHARACTERS = 64

/** Checks the whole name, then its last part: `customer[pin]`, `customer.pin`. */
export function sensitivityOf(written: string): Sensitivity {
  const name =
    written.length > 2 * NAME_END_CHARACTERS
      ? `${written.slice(0, NAME_END_CHARACTERS)} ${written.slice(-NAME_END_CHARACTERS)}`
      : written
  const parts = name.split(/[.[\]]+/).filter((part) => part !== '')
  const whole = sensitivityOfWords(name)
  return whole === 'unknown' && parts.length > 1 ? sensitivityOfWords(parts.at(-1) ?? '') : whole
}

function sensitivityOfWords(name: string): Sensitivity {
  const words = name
    .split(WORD_END)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
  const all = words.join('')
  const last = words.at(-1) ?? ''
  if (isSecret(words, all, last)) return 'secret'
  if (isPerson(all)) return 'person'
  if (ADDRESS.test(all)) return 'address'
  if (ACCOUNT_ALL.test(all) || ACCOUNT_ID.test(all) || ACCOUNT_NUMBER.test(all)) return 'account'
  return PLAIN.test(all) ? 'plain' : 'unknown'
}

function isSecret(words: readonly string[], all: string, last: string): boolean {
  if (OPEN_ALL.test(all)) return false
  if (words.length > 1 && (ABOUT.test(last) || ABOUT.test(words.at(-2) ?? ''))) return false
  return (
    SECRET_PART.test(all) ||
    SECRET_ALL.test(all) ||
    SECRET_LAST.test(last) ||
    words.some((word) => SECRET_WORD.test(word))
  )
}

function isPerson(all: string): boolean {
  if (PERSON_ALL.test(all)) return true
  const before = all.replace(NAME_END, '')
  return before !== all && (before === '' || PERSONS.test(before))
}
