import type { IdentityField } from '@fairlot/contract'
import type { Translate } from './translate.ts'

/** What was wrong with a field: a name from the catalogue, and words of the operator. */
export type IdentityFaultFound = {
  readonly field: IdentityField
  readonly fault: string
  readonly words: string
}

/** In a sentence or two; what is none of the catalogue's is said by the words alone. */
export const faultText = (translate: Translate, { fault, words }: IdentityFaultFound): string =>
  [fault === 'other' ? '' : translate(`identity.fault.${fault}`), words]
    .filter((text) => text !== '')
    .join(' ')

/** A line for each field. */
export const faultLines = (translate: Translate, faults: readonly IdentityFaultFound[]): string =>
  faults
    .map((each) =>
      translate('identity.line', {
        field: translate(`identity.field.${each.field}`),
        fault: faultText(translate, each),
      }),
    )
    .join('\n')
