import { signedMoney } from '../i18n/figures.ts'

/** An amount with its sign, in the colour of gain or loss. */
export const Signed = ({ units }: { units: bigint }) => (
  <span className={units > 0n ? 'text-up' : units < 0n ? 'text-down' : 'text-second'}>
    {signedMoney(units)}
  </span>
)
