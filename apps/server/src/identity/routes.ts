import { getIdentityCheck, sendIdentity } from '@fairlot/contract'
import type { Api } from '../http/api.ts'
import { createIdentityChecks } from './identity-checks.ts'
import type { IdentityServices } from './identity-services.ts'

/** The check of who somebody is; whoever sends something waits for the desk. */
export function registerIdentity(api: Api, services: IdentityServices): void {
  const checks = createIdentityChecks(services)
  api.user(sendIdentity, checks.send)
  api.user(getIdentityCheck, checks.look)
}
