import { Link } from 'react-router'

/** The account of somebody, and the way to them. */
export const PersonLink = ({ accountId }: { accountId: number }) => (
  <Link to={`/people/${accountId}`} className="underline decoration-line underline-offset-4">
    {accountId}
  </Link>
)
