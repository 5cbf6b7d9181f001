import type { IdentityField } from '@fairlot/contract'
import type { Translate } from './translate.ts'

/** A fault of a field of an identity check: its name in the catalogue, and a text of the operator. */
export type IdentityFaultFound = {
  readonly field: IdentityField
  readonly fault: string
  readonly words: string
}

/** The text of a fault; of one that is not in the catalogue only the operator's text. */
export const faultText = (translate: Translate, { fault, words }: IdentityFaultFound): string =>
  [fault === 'other' ? '' : translate(`identity.fault.${fault}`), words]
    .filter((text) => text !== '')
    .join(' ')

/** The faults as text, a line for each field. */
export const faultLines = (translate: Translate, faults: readonly IdentityFaultFound[]): string =>
  faults
    .map((each) =>
      translate('identity.line', {
        field: translate(`identity.field.${each.field}`),
        fault: faultText(translate, each),
      }),
    )
    .join('\n')
