/// <reference types="node" />
// Loaded before every command of package.json (`node -r`), in words that any Node understands: the commands themselves are TypeScript, which an older
// Node refuses with a stack trace that says nothing about its version. Where npm has a Node 24 for the platform, that one runs and nothing is said.
'use strict'

if (!process.features.typescript) {
  process.stderr.write(
    'malipo: this is Node ' +
      process.versions.node +
      ' on ' +
      process.platform +
      ' ' +
      process.arch +
      ', which cannot run TypeScript: Node 24 is needed' +
      ' (22.18 at least). Install it, or run npm ci without --omit=optional where npm has one (Linux and macOS).\n',
  )
  process.exit(1)
}
