import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { playDemo } from '../../local/demo/demo.ts'
import { castOf, createStage, svgOf } from '../../local/demo/stage.ts'
import { MALIPO } from './called-as.ts'
import { addExamples } from './command.ts'
import { CliError } from './errors.ts'
import { note, printJson } from './output.ts'

interface DemoOptions {
  readonly cast?: string
  readonly svg?: string
  readonly json?: true
}

const TITLE = 'malipo demo: one payment, three accidents'

export function define(command: Command): void {
  addExamples(command, `${MALIPO} demo`, `${MALIPO} demo --cast demo.cast --svg demo.svg`)
  command
    .option('--cast <file>', 'record it for asciinema')
    .option('--svg <file>', 'draw it as a picture that plays')
    .action(demo)
}

/** `demo`: a payment through three accidents, on a gateway of its own in a temporary folder. Touches nothing else. */
async function demo({ cast, svg, json }: DemoOptions): Promise<void> {
  const [script = ''] = process.argv.slice(1)
  const program = { command: process.execPath, args: [...process.execArgv, script] }
  const startedMs = performance.now()
  const stage = createStage(json ? process.stderr : process.stdout, () => performance.now() - startedMs)
  const isRight = await playDemo(stage, program).catch((error: unknown) => {
    throw new CliError(`malipo: the demo could not go on: ${error instanceof Error ? error.message : String(error)}`)
  })
  const recording = stage.recording()
  if (cast !== undefined) await writeFile(cast, castOf(recording, TITLE))
  if (svg !== undefined) await writeFile(svg, svgOf(recording, TITLE))
  if (json) printJson({ ok: isRight, lines: recording.lines })
  if (!isRight) throw new CliError('malipo: the books differ: please report it.')
  if (!json) note(`Its gateway is gone again. A sandbox that stays: ${MALIPO} serve`)
}
