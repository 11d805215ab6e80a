import {
  canonical,
  fuzz,
  keys,
  type FreshValue,
  type Prepare,
  type Profile,
} from '../../schemathesis-runner-wrapper/index.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { isBusinessRefusal } from '../../harness/business-refusals.ts'
import { fieldsOf } from '../../harness/json.ts'
import { admitEmptyFields } from './empty-fields.ts'
import { seedFixtures } from './fixtures.ts'
import { apiCaller } from './api-caller.ts'
import { readReferenceData } from './reference-data.ts'
import { representative, specialise, withLiveExamples } from './specialise.ts'

/** Values that are accepted once, and numbers with a daily limit; the last three digits choose an outcome and stay. */
const freshValues: readonly FreshValue[] = [
  { in: 'body', name: 'merchant_reference', pattern: '(?P<fresh>[A-Za-z0-9._~-]{8})[A-Za-z0-9._~-]{0,28}' },
  { in: 'header', name: 'Idempotency-Key', pattern: '(?P<fresh>[ -~]{1,8})[ -~]{0,247}' },
  { in: 'body', name: 'msisdn', pattern: '(?:[+]?[0-9]{6}|0[0-9]{3})(?P<fresh>[0-9]{3})[0-9]{3}' },
  { in: 'body', name: 'account_number', pattern: '(?:[+]?[0-9]{6}|0[0-9]{3})(?P<fresh>[0-9]{3})[0-9]{3}' },
  { in: 'body', name: 'account_number', pattern: '(?P<fresh>[0-9]{3})[0-9]{3,17}' },
]

/** Whether the message of a 400 reply is a business rule's, which a valid request may meet. */
export const isRefusedByRule = (reply: string): boolean => {
  const { message } = fieldsOf(jsonOf(Buffer.from(reply)))
  return typeof message === 'string' && isBusinessRefusal(message)
}

const seeded: Prepare = async (contract, { baseUrl, keys: given }) =>
  admitEmptyFields(withLiveExamples(contract, await seedFixtures(apiCaller(baseUrl, given))))

const specialised =
  (providersMax: number): Prepare =>
  async (contract, { baseUrl, keys: given }) => {
    const request = apiCaller(baseUrl, given)
    return admitEmptyFields(
      specialise(contract, representative(await readReferenceData(request), providersMax), await seedFixtures(request)),
    )
  }

/** The three profiles. @param providersMax branches of the fuzz copy per method; two for a pull request */
export const profilesFor = (providersMax: number): readonly Profile[] => [
  canonical({ prepare: seeded, freshValues, isBusinessRefusal: isRefusedByRule }),
  fuzz({ prepare: specialised(providersMax), freshValues }),
  keys({ prepare: specialised(providersMax), freshValues }),
]

/** For the command line: every provider there is. */
export default profilesFor(Infinity)
