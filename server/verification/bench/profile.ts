import { readFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { present } from '../../domain/present.ts'
import { PROJECT_ROOT } from './processes.ts'

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface Cost {
  readonly where: string
  readonly share: number
}

/**
 * Where a process spent its busy time: by package, by Node module, by file of ours. Shares of the busy time, largest
 * first.
 */
export async function readProfile(folder: string, costsMax: number): Promise<readonly Cost[]> {
  const name = (await readdir(folder)).find((file) => file.endsWith('.cpuprofile'))
  if (!name) throw new Error(`no profile was written to ${folder}`)
  const profile = JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile
  const whereOf = new Map(profile.nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const times = new Map<string, number>()
  profile.samples.forEach((id, index) => {
    const where = present(whereOf.get(id), 'a node of the profile')
    if (where !== '(idle)' && where !== '(root)')
      times.set(where, (times.get(where) ?? 0) + (profile.timeDeltas[index] ?? 0))
  })
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .map(([where, time]) => ({ where, share: time / busy }))
    .sort((a, b) => b.share - a.share)
    .slice(0, costsMax)
}

function placeOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const [, packageName] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
  if (packageName) return packageName
  if (url.startsWith('file:')) return relative(PROJECT_ROOT, fileURLToPath(url))
  // No URL: the engine itself, and functions written in C++ (writev = sockets).
  return url === '' ? `native ${functionName || 'code'}`.replace('native (', '(') : url
}
