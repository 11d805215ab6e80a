import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** One terminal of a reader: variables and background processes of a block remain for the next. */
export interface TerminalSession {
  /** Types a block and waits for its end. */
  type(block: string): Promise<{ readonly printed: string; readonly failed: readonly string[] }>
  /** All output so far, background processes included. */
  output(): string
  /** Ends the session and all of its background processes. */
  close(): Promise<void>
}

/** The programs behind `npm` and `npx`, without start-up and downloads: they come first in the PATH. */
export function writeShims(folder: string, shop: Readonly<Record<string, string>>): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const node = `'${process.execPath}'`
  const dev = `${node} '${join(ROOT, 'client/toolbox/malipo-dev.ts')}'`
  const settings = Object.entries(shop).map(([name, value]) => `${name}='${value}'`)
  const npm = [
    'case "$*" in',
    '  "pack "*) exit 0;;',
    `  install) mkdir -p node_modules/@malipo && ln -sfn '${join(ROOT, 'client')}' node_modules/@malipo/client &&`,
    `    ln -sfn '${join(ROOT, 'node_modules/fastify')}' node_modules/fastify;;`,
    // The machine's own certificates, whatever this test runs on: a shop sees what its reader has configured.
    `  "run dev") exec env ${settings.join(' ')} node --env-file=.env.development web/server.ts;;`,
    `  "run check") exec env PORT='${shop['PORT']}' ${dev} $(${node} -p 'require("./package.json").scripts.check.replace(/^malipo-dev/, "")');;`,
    '  *) echo "no such npm: $*" >&2; exit 1;;',
    'esac',
  ]
  const agent = 'npm_config_user_agent="npm/11 node/$(node --version)"'
  const npx = [
    'command="$1 $2 $3"; shift 3',
    `[ "$command" = "--no -- malipo" ] && exec ${node} '${join(ROOT, 'server/cli.ts')}' "$@"`,
    '[ "$command" = "--no -- malipo-dev" ] || exit 1',
    `exec env ${agent} ${dev} "$@"`,
  ]
  for (const [name, lines] of Object.entries({ npm, npx })) {
    writeFileSync(join(bin, name), ['#!/bin/sh', ...lines, ''].join('\n'))
    chmodSync(join(bin, name), 0o755)
  }
  return bin
}

/** A bash in the clone's folder, with no environment of this process but the given variables. */
export function openTerminal(environment: Readonly<Record<string, string>>): TerminalSession {
  const bash = spawn('bash', ['--norc'], {
    cwd: ROOT,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const seen = new Set<() => void>()
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
      for (const poll of seen) poll()
    })
  const ended = new Promise<void>((resolve) => bash.once('close', () => resolve()))
  bash.stdin.write(`trap 'echo "#failed: $BASH_COMMAND" >&2' ERR\n`)
  let blocks = 0
  return {
    output: () => output,
    async type(block) {
      const mark = `#end of block ${++blocks}`
      const from = output.length
      await new Promise<void>((resolve, reject) => {
        const pollOnce = () => void (output.includes(mark) && (seen.delete(pollOnce), resolve()))
        seen.add(pollOnce)
        void ended.then(() => reject(new Error(`the terminal has ended:\n${output}`)))
        bash.stdin.write(`${block}\necho "${mark}"\n`)
      })
      const printed = output.slice(from)
      return { printed, failed: [...printed.matchAll(/^#failed: (.*)$/gm)].map(([, command = '']) => command) }
    },
    async close() {
      // The whole process group, so that nothing keeps a port.
      if (bash.pid !== undefined && bash.exitCode === null) process.kill(-bash.pid, 'SIGKILL')
      await ended
    },
  }
}
