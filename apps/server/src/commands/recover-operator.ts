/** `npm run recover`: announces a new log-in for an operator, publicly and 72 hours ahead; docs/desk.md says when it is needed. */
import { parseArgs } from 'node:util'
import { ROLES, type OperatorRole } from '@fairlot/contract/desk'
import { readEnvironment, type Config } from '../platform/config/config.ts'
import { announceRecovery, type RecoveryRequest } from '../desk/operators/recovery.ts'
import { startDeployment } from '../deployment/deployment.ts'

const USAGE = 'npm run recover -- --operator NAME [--role ROLE] --reason "why it is needed"'

/** The request in the arguments. Throws an Error that says what is wrong with them. */
function readArguments(): RecoveryRequest {
  const text = { type: 'string' } as const
  const { operator, role, reason } = parseArgs({
    options: { operator: text, role: text, reason: text },
  }).values
  if (operator === undefined || reason === undefined) throw new Error(`use it so: ${USAGE}`)
  if (role !== undefined && !ROLES.includes(role as OperatorRole))
    throw new Error(`--role takes one of ${ROLES.join(', ')}.`)
  return { name: operator, role: (role as OperatorRole | undefined) ?? null, reason }
}

async function main(config: Config, request: RecoveryRequest): Promise<void> {
  // Locks the database: fails with a message while the server runs.
  const deployment = await startDeployment(config, (error) => console.error(error))
  try {
    const { isNew, effectiveAt, invitation, confirmation } = await announceRecovery(deployment, request)
    const from = new Date(effectiveAt).toISOString()
    console.log(
      [
        `Announced: ${isNew ? 'a new operator' : 'a new log-in'}, ${request.name}. All users are shown it once the server has started.`,
        `From ${from}, for 72 hours, they can join once at ${config.publicUrl ?? ''}/desk/#/join?invitation=${invitation}`,
        `with the confirmation key ${confirmation}`,
        'Both are shown only now. Until then any operator can cancel it under Settings, Operators.',
      ].join('\n'),
    )
  } finally {
    await deployment.stop()
  }
}

try {
  const config = readEnvironment()
  if ('problem' in config) throw new Error(config.problem)
  await main(config, readArguments())
} catch (error) {
  console.error(`Cannot announce a recovery: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
