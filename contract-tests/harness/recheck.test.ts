import { expect, test } from 'vitest'
import type { Finding, PartResult } from './part.ts'
import { partResult } from './testing/part-result.ts'
import { recheckFindings } from './recheck.ts'

const found = (...findings: readonly Finding[]): PartResult => partResult('any', { status: 'findings', findings })
const timed = (what: string, recurs: () => Promise<boolean>): Finding => ({ about: 'retries', what, recurs })
const again = timed('late', async () => true)
const once = timed('twice', async () => false)
const broken = timed('late', () => Promise.reject(new Error('the server is gone')))
const lasting = { about: 'verify', what: 'off by one' }
const late = { about: 'retries', what: 'late' }
const twice = { about: 'retries', what: 'twice' }

test.each<[string, PartResult, object]>([
  [
    'reports what recurs, and only names what does not',
    found(lasting, again, once),
    { status: 'findings', findings: [lasting, late], notReproduced: [twice] },
  ],
  ['passes a part when nothing recurs', found(once), { status: 'passed', findings: [], notReproduced: [twice] }],
  ['keeps a skipped part skipped', { ...found(once), status: 'skipped' }, { status: 'skipped' }],
  ['reports what cannot be repeated', found(broken), { status: 'findings', findings: [late] }],
  [
    'reports what was seen several times without repeating it',
    found({ ...timed('late', async () => false), times: 2 }),
    { status: 'findings', findings: [{ ...late, times: 2 }] },
  ],
])('%s', async (_what, result, expected) => expect(await recheckFindings(result)).toMatchObject(expected))
