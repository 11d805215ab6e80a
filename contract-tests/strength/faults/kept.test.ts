import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAULTS } from './all.ts'
import type { Fault } from './fault.ts'
import { createFingerprint, readKept } from './kept.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-kept-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const [FAULT] = FAULTS as [Fault, ...Fault[]]
const found = { fault: FAULT.name, part: 'declared', verdict: 'killed', durationMs: 1 } as const

async function contract(text: string): Promise<string> {
  const path = join(folder, `${text.length}.json`)
  await writeFile(path, text)
  return path
}

async function earlier(...outcomes: readonly object[]): Promise<URL> {
  const path = join(folder, 'faults.json')
  await writeFile(path, JSON.stringify({ outcomes }))
  return pathToFileURL(path)
}

test('an outcome is kept as long as contract, seed, part and fault are the same', async () => {
  const settings = { contract: await contract('{}'), seed: 1 }
  const fingerprint = createFingerprint(settings)
  const made = fingerprint('declared', FAULT)
  const path = await earlier({ ...found, made })
  const kept = (given: Partial<typeof settings>, fault = FAULT): number =>
    readKept(path, [fault], createFingerprint({ ...settings, ...given })).length
  expect(kept({})).toBe(1)
  expect(kept({ seed: 2 })).toBe(0)
  expect(kept({ contract: await contract('{"openapi":"3.1.0"}') })).toBe(0)
  expect(kept({}, { ...FAULT, at: ['sendFunds'] })).toBe(0)
  expect(kept({}, { ...FAULT, plant: () => ({ api: {} }) })).toBe(0)
  expect(readKept(await earlier({ ...found, part: 'model', made }), [FAULT], fingerprint)).toEqual([])
})

test('what came to no verdict is asked again, and so is everything that a part said which found fault with an untouched gateway', async () => {
  const fingerprint = createFingerprint({ contract: await contract('{}'), seed: 1 })
  const made = fingerprint('declared', FAULT)
  expect(readKept(await earlier({ ...found, made, verdict: 'no verdict' }), [FAULT], fingerprint)).toEqual([])
  const control = { ...found, fault: 'none' }
  expect(
    readKept(await earlier({ ...control, verdict: 'survived' }, { ...found, made }), [FAULT], fingerprint),
  ).toHaveLength(1)
  expect(readKept(await earlier(control, { ...found, made }), [FAULT], fingerprint)).toEqual([])
})

test('the first drill has nothing to go on with', async () => {
  const fingerprint = createFingerprint({ contract: await contract('{}'), seed: 1 })
  expect(readKept(new URL('absent.json', pathToFileURL(`${folder}/`)), FAULTS, fingerprint)).toEqual([])
})
