import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { test } from 'vitest'
import { skipReason } from '../../verification/testing/skip-reason.ts'

/** Programs that npm does not provide; the folders of administrators and of Go are not always in the path. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin', join(homedir(), 'go/bin')]

/** The path of a program, given its name or full path, if it is installed. */
export function toolPath(name: string): string | undefined {
  return FOLDERS.map((folder) => resolve(folder, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * A test that needs programs of the system; without them it is skipped and reported as such.
 * @param brings the Debian package that has them, or the command that installs them
 */
export function testWith(names: readonly string[], brings: string): typeof test {
  const missing = names.filter((name) => toolPath(name) === undefined)
  if (missing.length > 0)
    skipReason(
      `no ${missing.join(', no ')} (${brings.includes(' install ') ? brings : `Debian: apt-get install ${brings}`})`,
      'what is checked with it',
    )
  return missing.length > 0 ? (test.skip as typeof test) : test
}

export interface ToolResult {
  readonly code: number | string
  /** Standard output and error, one after the other. */
  readonly text: string
  readonly out: string
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

const OUTPUT_MAX_BYTES = 16 * 1024 * 1024

/** Runs a program until it exits, whatever its exit code. */
export function run(name: string, args: readonly string[], options: RunOptions = {}): Promise<ToolResult> {
  const { cwd, env, timeoutMs: timeout = 120_000 } = options
  return new Promise((resolve) => {
    execFile(
      toolPath(name) ?? name,
      args,
      { timeout, maxBuffer: OUTPUT_MAX_BYTES, ...(cwd && { cwd }), ...(env && { env: { ...process.env, ...env } }) },
      (error, out, err) => resolve({ code: error === null ? 0 : (error.code ?? 'killed'), text: out + err, out }),
    )
  })
}

/**
 * A certificate for localhost with its key, in the one file that HAProxy reads.
 * @returns its path
 */
export async function certificateIn(folder: string): Promise<string> {
  const [key, certificate, both] = [join(folder, 'key.pem'), join(folder, 'certificate.pem'), join(folder, 'both.pem')]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate]
  const { code, text } = await run('openssl', [...made, '-subj', '/CN=localhost', '-days', '2'])
  if (code !== 0) throw new Error(text)
  await writeFile(both, (await readFile(key, 'utf8')) + (await readFile(certificate, 'utf8')))
  return both
}

/**
 * Process 1 of the namespace made by `unshare --pid --fork`: killing it ends all processes in it. The kernel drops the
 * parent-death signal that `--kill-child` sets when a process changes its user.
 */
export async function firstBelow(pid: number | undefined): Promise<number | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return children.trim() === '' ? undefined : Number(children.trim().split(' ')[0])
}
