#!/usr/bin/env node
import { runToolbox } from './run-toolbox.ts'
import { processTerminal } from './terminal.ts'

/** What a shell says of a program that nobody reads any more (SIGPIPE). */
const NOBODY_READS = 141

// `malipo-dev check … | head`: whoever reads may have read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(NOBODY_READS)
})
process.exitCode = await runToolbox(process.argv.slice(2), processTerminal())
