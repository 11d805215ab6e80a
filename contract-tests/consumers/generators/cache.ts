import { randomUUID } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ToolStatus } from './generator.ts'
import type { ToolResult } from './run-tool.ts'

/** Generators are installed next to the caches of other tools, never into the project. */
export const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'malipo-generators')

interface Installation {
  readonly cache: string
  /** Name and version: each version has its own folder. */
  readonly name: string
  /** Path of the program inside the folder. */
  readonly tool: string
  readonly install: boolean
  fill(folder: string): Promise<ToolResult>
}

/** Path of the tool in the cache folder; `install` installs it when it is missing. */
export async function cached({ cache, name, tool, install, fill }: Installation): Promise<ToolStatus> {
  const folder = join(cache, name)
  const path = join(folder, tool)
  if (await exists(path)) return { tool: path }
  if (!install) return { missing: `${name} is not installed (npm run generators installs it)` }
  // Built in a temporary folder and renamed in one step: a killed run leaves no half-filled folder.
  const draft = `${folder}.${randomUUID()}`
  await mkdir(cache, { recursive: true })
  const ran = await fill(draft)
  if (ran.code === 0) {
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
  }
  await rm(draft, { recursive: true, force: true })
  return ran.code === 0 && (await exists(path))
    ? { tool: path }
    : { missing: `${name} could not be installed: ${firstError(ran.output)}` }
}

/** The most informative line of an output, for a table. */
export const firstError = (output: string): string => {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.find((line) => /\berror\b|exception|cannot|fatal/i.test(line)) ?? lines.at(-1) ?? 'it printed nothing'
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
