import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, posix, resolve } from 'node:path'
import type { Contract } from '../../openapi/reading/contract.ts'
import { openContract } from '../foreign/contract-file.ts'
import { runProgram } from '../harness/program.ts'
import { UsageError } from '../usage-error.ts'

/**
 * The contract as a commit has it, with the files that it refers to. @returns undefined when the commit has no such
 * file. @throws UsageError with one line that says what is wrong
 */
export async function contractAt(file: string, ref: string): Promise<Contract | undefined> {
  const repository = dirname(resolve(file))
  const commit = await commitOf(ref, file, repository)
  const prefix = await git(['rev-parse', '--show-prefix'], repository)
  const path = `${prefix.out.trim()}${basename(file)}`
  const folder = await mkdtemp(join(tmpdir(), 'contract-since-'))
  try {
    if (!(await copyAt(commit, path, { repository, folder, copied: new Set() }))) return undefined
    const { contract } = await openContract(join(folder, path))
    return contract
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`--since ${ref}: ${error.message.replaceAll(join(folder, path), file)}`, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @throws UsageError when there is no repository, or the ref names no commit in it */
async function commitOf(ref: string, file: string, repository: string): Promise<string> {
  // Git would take it for an option.
  const wrong = (why: string): UsageError => new UsageError(`--since ${ref}: ${why}`)
  if (ref === '' || ref.startsWith('-')) throw wrong('this is not the name of a commit')
  const { code, out, err } = await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], repository)
  if (code === 0) return out.trim()
  if (code === -1) throw wrong('git cannot be run')
  // Empty: it has looked, and found none.
  const [said = ''] = err.split('\n')
  throw wrong(
    said === ''
      ? 'there is no such commit here; a shallow clone has only the newest ones (fetch-depth: 0 in actions/checkout)'
      : `${said} (${file})`,
  )
}

interface CopyOptions {
  readonly repository: string
  readonly folder: string
  readonly copied: Set<string>
}

/** A relative `$ref` in YAML or JSON, without its fragment. */
const REF = /\$ref["']?\s*:\s*["']?([^#"'\s,}]+)/g

/** Writes a file of a commit, and those that it refers to, below the folder. @returns whether the commit has it */
async function copyAt(commit: string, path: string, options: CopyOptions): Promise<boolean> {
  const { repository, folder, copied } = options
  copied.add(path)
  const { code, out } = await git(['show', `${commit}:${path}`], repository)
  if (code !== 0) return false
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), out)
  for (const [, ref = ''] of out.matchAll(REF)) {
    const other = posix.join(posix.dirname(path), decoded(ref))
    if (URL.canParse(ref) || other.startsWith('../') || copied.has(other)) continue
    await copyAt(commit, other, options)
  }
  return true
}

const decoded = (ref: string): string => {
  try {
    return decodeURIComponent(ref)
  } catch {
    return ref
  }
}

const git = (args: readonly string[], cwd: string) => runProgram('git', args, { cwd })
