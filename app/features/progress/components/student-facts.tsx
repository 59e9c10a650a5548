type StudentFactsProps = {
  student: {
    name: string;
    email: string;
    emailVerified: boolean;
    isAdmin: boolean;
    joined: string;
    /** Day of the scheduled account deletion. */
    goes: string | null;
  };
};

export function StudentFacts({ student }: StudentFactsProps) {
  return (
    <dl className="student-facts">
      <div>
        <dt>Email</dt>
        <dd className="people-address">
          <a href={`mailto:${student.email}`}>{student.email}</a>
          {!student.emailVerified && (
            <span className="people-mark people-mark-open">Not confirmed</span>
          )}
        </dd>
      </div>
      <div>
        <dt>Joined</dt>
        <dd>{student.joined}</dd>
      </div>
      {student.goes && (
        <div>
          <dt>Leaving</dt>
          <dd>
            {student.name} has asked for this account to be deleted. It goes on {student.goes}.
            Signing in before then can keep it.
          </dd>
        </div>
      )}
      {student.isAdmin && (
        <div>
          <dt>Role</dt>
          <dd>Administrator</dd>
        </div>
      )}
    </dl>
  );
}
