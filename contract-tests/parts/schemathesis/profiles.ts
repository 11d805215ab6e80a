import {
  canonical,
  fuzz,
  keys,
  type FreshValue,
  type Prepare,
  type Profile,
} from '../../schemathesis-runner-wrapper/index.ts'
import { admitEmptyFields } from './empty-fields.ts'
import { seedFixtures } from './fixtures.ts'
import { asker } from './ask.ts'
import { readReferenceData } from './reference-data.ts'
import { representative, specialise, withLiveExamples } from './specialise.ts'

/** Values that are taken once, and numbers with a daily limit; the last three digits choose an outcome and stay. */
const freshValues: readonly FreshValue[] = [
  { in: 'body', name: 'merchant_reference', pattern: '(?P<fresh>[A-Za-z0-9._~-]{8})[A-Za-z0-9._~-]{0,28}' },
  { in: 'header', name: 'Idempotency-Key', pattern: '(?P<fresh>[ -~]{1,8})[ -~]{0,247}' },
  { in: 'body', name: 'msisdn', pattern: '[+]?[0-9]{6}(?P<fresh>[0-9]{3})[0-9]{3}' },
  { in: 'body', name: 'account_number', pattern: '[+]?[0-9]{6}(?P<fresh>[0-9]{3})[0-9]{3}' },
  { in: 'body', name: 'account_number', pattern: '(?P<fresh>[0-9]{3})[0-9]{3,17}' },
]

/** What a rule may answer 400 to a request that fits; each is an example of the contract, as a test sees to. */
export const BUSINESS_REFUSALS: readonly RegExp[] = [
  /"message":"Invalid provider code \(/,
  /"message":"Invalid bank code \(/,
  /"message":".* is not a valid [^"]+ \([a-z0-9_]+\) phone number"/,
  /"message":"amount must be between \S+ and \S+ [A-Z]{3}"/,
  /"message":"amount must have at most \d decimals for [A-Z]{3}"/,
  /"message":"amount exceeds the daily limit of /,
  /"message":"No exchange rate from [A-Z]{3} to [A-Z]{3} is configured"/,
  /"message":"redirect_url must be an https URL/,
  /"message":"redirect_url is required"/,
  /"message":"description must not be blank"/,
  /"message":"Invalid OTP"/,
  /"message":"Too many (?:one-time passwords|wrong one-time passwords|open payment pages) for this account number/,
]

const seeded: Prepare = async (contract, { baseUrl, keys: given }) =>
  admitEmptyFields(withLiveExamples(contract, await seedFixtures(asker(baseUrl, given))))

const specialised =
  (providersMax: number): Prepare =>
  async (contract, { baseUrl, keys: given }) => {
    const ask = asker(baseUrl, given)
    return admitEmptyFields(
      specialise(contract, representative(await readReferenceData(ask), providersMax), await seedFixtures(ask)),
    )
  }

/** The three profiles. @param providersMax branches of the fuzz copy per method; two for a pull request */
export const profilesFor = (providersMax: number): readonly Profile[] => [
  canonical({ prepare: seeded, freshValues, businessRefusals: BUSINESS_REFUSALS }),
  fuzz({ prepare: specialised(providersMax), freshValues }),
  keys({ prepare: specialised(providersMax), freshValues }),
]

/** For the command line: every provider there is. */
export default profilesFor(Infinity)
