import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAULTS } from './all.ts'
import type { Fault } from './fault.ts'
import { createFingerprint, readKeptOutcomes } from './kept-outcomes.ts'

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

test('keeps an outcome while contract, seed, part and fault are the same', async () => {
  const settings = { contract: await contract('{}'), seed: 1 }
  const fingerprint = createFingerprint(settings)
  const made = fingerprint('declared', FAULT)
  const path = await earlier({ ...found, made })
  const kept = (given: Partial<typeof settings>, fault = FAULT): number =>
    readKeptOutcomes(path, [fault], createFingerprint({ ...settings, ...given })).length
  expect(kept({})).toBe(1)
  expect(kept({ seed: 2 })).toBe(0)
  expect(kept({ contract: await contract('{"openapi":"3.1.0"}') })).toBe(0)
  expect(kept({}, { ...FAULT, at: ['sendFunds'] })).toBe(0)
  expect(kept({}, { ...FAULT, plant: () => ({ api: {} }) })).toBe(0)
  expect(readKeptOutcomes(await earlier({ ...found, part: 'model', made }), [FAULT], fingerprint)).toEqual([])
})

test('repeats runs without a verdict, and runs of a part whose control failed', async () => {
  const fingerprint = createFingerprint({ contract: await contract('{}'), seed: 1 })
  const made = fingerprint('declared', FAULT)
  expect(readKeptOutcomes(await earlier({ ...found, made, verdict: 'no verdict' }), [FAULT], fingerprint)).toEqual([])
  const control = { ...found, fault: 'none' }
  expect(
    readKeptOutcomes(await earlier({ ...control, verdict: 'survived' }, { ...found, made }), [FAULT], fingerprint),
  ).toHaveLength(1)
  expect(readKeptOutcomes(await earlier(control, { ...found, made }), [FAULT], fingerprint)).toEqual([])
})

test('the first drill has no earlier outcomes', async () => {
  const fingerprint = createFingerprint({ contract: await contract('{}'), seed: 1 })
  expect(readKeptOutcomes(new URL('absent.json', pathToFileURL(`${folder}/`)), FAULTS, fingerprint)).toEqual([])
})
