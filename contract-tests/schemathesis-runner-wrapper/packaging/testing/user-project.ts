import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { openContract } from '../../../foreign/contract-file.ts'
import { CREDENTIALS, startLibrary } from '../../../foreign/library/library.ts'
import { keyVariable } from '../../settings.ts'
import { ROOT, type PackedRunner } from './packed-runner.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const NAME = 'schemathesis-runner-wrapper'

/** The README's first example in this language. */
export const exampleIn = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(README)?.[1] ?? ''

/** Keys of the library, as environment variables. */
export const LIBRARY_KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CREDENTIALS).map(([scheme, key]) => [keyVariable(scheme), key]),
)
export const LIBRARY = join(ROOT, 'contract-tests', 'foreign', 'library')

const ourBin = join(ROOT, 'node_modules', '.bin')
const path = process.env.PATH?.split(delimiter).filter((folder) => !folder.includes('node_modules')) ?? []
/** With the machine's own Node: on ours the oldest supported one. */
export const SYSTEM_PATH = path.join(delimiter)
/** With the Node that runs the tests. */
export const OUR_PATH = [ourBin, ...path].join(delimiter)

/** Runs shell lines in a user's project, with the tarball in place of the registry's package. */
export function runLines(
  lines: string,
  { tarball, project }: PackedRunner,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly code: number; readonly out: string }> {
  const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  const { HOME, PIP_FIND_LINKS, PIP_CERT } = process.env
  return new Promise((resolve) => {
    execFile(
      'sh',
      ['-e', '-c', lines.replaceAll(`--save-dev ${NAME}`, `--save-dev "${tarball}"`)],
      { cwd: project, env: { HOME, PIP_FIND_LINKS, PIP_CERT, ...quiet, ...env } },
      (error, out, err) => {
        const failed = typeof error?.code === 'number' ? error.code : -1
        resolve({ code: error === null ? 0 : failed, out: out + err })
      },
    )
  })
}

/** An API that is not ours, which also issues tokens to one client. */
export async function startForeignApi() {
  const { contract } = await openContract(join(LIBRARY, 'library.yaml'))
  return startLibrary(contract.document, {
    instead: ({ path, headers, body }) => {
      if (path !== '/token') return undefined
      const isClient = headers['authorization'] === `Basic ${Buffer.from('tests:secret').toString('base64')}`
      return isClient && body === 'grant_type=client_credentials'
        ? { status: 200, headers: {}, body: { access_token: CREDENTIALS.accessToken, expires_in: 3600 } }
        : { status: 401, headers: {}, body: { error: 'invalid_client' } }
    },
  })
}
