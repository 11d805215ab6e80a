#!/usr/bin/env node
import { runToolbox } from './run-toolbox.ts'
import { processTerminal } from './terminal.ts'

/** The exit code that a shell reports for a program whose reader is gone (SIGPIPE). */
const NOBODY_READS = 141

// `malipo-dev check … | head`: the reader may stop reading at any time.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(NOBODY_READS)
})
process.exitCode = await runToolbox(process.argv.slice(2), processTerminal())
