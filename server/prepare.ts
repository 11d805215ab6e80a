// Runs at the end of `npm ci`, in a shell of any kind: builds the docs and prepares the first start. It prints nothing,
// unless a step fails.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))

for (const step of ['openapi/docs/build.ts', 'openapi/operators/docs/build.ts', 'server/after-install.ts']) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [step], { cwd, encoding: 'utf8' })
  if (status === 0) continue
  console.error(`${step} failed: ${error?.message ?? `${stdout}${stderr}`}`)
  process.exit(1)
}
