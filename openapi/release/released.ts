import { readFile, writeFile } from 'node:fs/promises'
import { compareContracts } from './compare.ts'
import type { Change } from './change.ts'
import { addToHistory, entriesBetween, firstEntries } from './history.ts'
import { fileAtTag, lastTag } from './last-tag.ts'
import { isObject, type Json } from '../reading/json.ts'
import { surfaceOf } from './surface.ts'
import { judge, type Refusal } from './version.ts'

const fileAt = (path: string): URL => new URL(path, import.meta.url)
const RELEASED = fileAt('released.json')

/** The contract that merchants build on, without its texts, with the version it came with. */
interface ReleasedContract {
  readonly version: string
  readonly contract: Json
}
async function readJson(file: URL): Promise<Json> {
  return JSON.parse(await readFile(file, 'utf8')) as Json
}

/**
 * What was released last: the contract of the last tag. Without a tag (before the first one, and in a copy without
 * history) that of released.json; undefined without both.
 */
export async function readReleased(): Promise<ReleasedContract | undefined> {
  const tag = lastTag()
  const contract = tag === undefined ? undefined : fileAtTag(tag, 'generated/openapi.json')
  if (tag !== undefined && contract !== undefined)
    return { version: tag.slice('v'.length), contract: JSON.parse(contract) as Json }
  const stored = await readJson(RELEASED).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (stored === undefined) return undefined
  if (!isObject(stored) || typeof stored.version !== 'string' || stored.contract === undefined)
    throw new Error('released.json holds no version and contract')
  return { version: stored.version, contract: stored.contract }
}

export const readCurrentContract = (): Promise<Json> => readJson(fileAt('../../generated/openapi.json'))

/** The version of package.json. */
async function readVersion(): Promise<string> {
  const manifest = await readJson(fileAt('../../package.json'))
  if (!isObject(manifest) || typeof manifest.version !== 'string') throw new Error('package.json has no version')
  return manifest.version
}

interface Verdict {
  readonly changes: readonly Change[]
  readonly refusals: readonly Refusal[]
}

/** Everything that changed since the release, and what of it the version and the changelog do not say. */
export async function verdictSince(released: ReleasedContract): Promise<Verdict> {
  const [current, version, changelog] = await Promise.all([
    readCurrentContract(),
    readVersion(),
    readFile(fileAt('../../CHANGELOG.md'), 'utf8'),
  ])
  const changes = compareContracts(released.contract, current)
  return { changes, refusals: judge(changes, { releasedVersion: released.version, version, changelog }) }
}

/** Takes the current contract for the released one; what it brought goes into the history. */
export async function renew(): Promise<ReleasedContract> {
  const before = await readReleased()
  const released = { version: await readVersion(), contract: await readCurrentContract() }
  const entries = before ? entriesBetween(before.contract, released.contract) : firstEntries(released.contract)
  await addToHistory({ version: released.version, entries })
  await writeFile(RELEASED, `${JSON.stringify({ ...released, contract: surfaceOf(released.contract) }, null, 1)}\n`)
  return released
}
