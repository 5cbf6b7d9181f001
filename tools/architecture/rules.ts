import { importDirections } from './import-directions.ts'
import { barrels, defaultExports } from './exports.ts'
import { importCycles } from './import-cycles.ts'
import { clock, components, environment } from './globals.ts'
import { folders } from './folders.ts'
import { leftOvers, suppressions } from './comments.ts'
import type { Rule } from './rule.ts'
import { unusedMessages } from './messages.ts'
import { unusedFiles } from './unused-files.ts'
import { codePaths } from './code-paths.ts'
import { words } from './replaced-words.ts'
import { wireFields, wireAccountLabels } from './wire.ts'

/** All architecture rules. */
export const RULES: readonly Rule[] = [
  importDirections,
  importCycles,
  folders,
  wireAccountLabels,
  environment,
  clock,
  components,
  leftOvers,
  unusedFiles,
  defaultExports,
  barrels,
  suppressions,
  unusedMessages,
  wireFields,
  codePaths,
  words,
]
