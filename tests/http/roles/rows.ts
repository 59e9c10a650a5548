import { accountRows } from "./account-rows.ts";
import { adminCourseRows } from "./admin/course-rows.ts";
import { doneCourseRows } from "./admin/done-course-rows.ts";
import { doneEnrollmentRows } from "./admin/done-enrollment-rows.ts";
import { doneLessonRows } from "./admin/done-lesson-rows.ts";
import { adminEnrollmentRows } from "./admin/enrollment-rows.ts";
import { issueRows } from "./admin/issue-rows.ts";
import { adminLessonRows } from "./admin/lesson-rows.ts";
import { adminMailRows } from "./admin/mail-rows.ts";
import { adminMediaRows } from "./admin/media-rows.ts";
import { adminModuleRows } from "./admin/module-rows.ts";
import { pageRows } from "./admin/page-rows.ts";
import { adminPaymentRows } from "./admin/payment-rows.ts";
import { recordingRows } from "./admin/recording-rows.ts";
import { redirectRows } from "./admin/redirect-rows.ts";
import { releaseRows } from "./admin/release-rows.ts";
import { adminStudentRows } from "./admin/student-rows.ts";
import { subscriberRows } from "./admin/subscriber-rows.ts";
import { uploadRows } from "./admin/upload-rows.ts";
import { authRows } from "./auth-rows.ts";
import { courseRows } from "./course-rows.ts";
import { emailRows } from "./email-rows.ts";
import { fileRows } from "./file-rows.ts";
import { journalRows } from "./journal-rows.ts";
import { newsletterRows } from "./newsletter-rows.ts";
import { ownRows } from "./own-rows.ts";
import { pictureRows } from "./picture-rows.ts";
import { playbackRows } from "./playback-rows.ts";
import { playerRows } from "./player-rows.ts";
import type { Row } from "./row.ts";
import { sessionRows } from "./session-rows.ts";
import { siteRows } from "./site-rows.ts";

/** Every route and endpoint, and what each role gets there (docs/testing.md). */
export const rows: Row[] = [
  ...siteRows,
  ...courseRows,
  ...playerRows,
  ...fileRows,
  ...accountRows,
  ...ownRows,
  ...authRows,
  ...newsletterRows,
  ...subscriberRows,
  ...issueRows,
  ...emailRows,
  ...journalRows,
  ...adminCourseRows,
  ...adminModuleRows,
  ...adminLessonRows,
  ...adminMediaRows,
  ...adminEnrollmentRows,
  ...adminStudentRows,
  ...adminPaymentRows,
  ...pageRows,
  ...redirectRows,
  ...releaseRows,
  ...adminMailRows,
  ...uploadRows,
  ...recordingRows,
  ...doneCourseRows,
  ...doneLessonRows,
  ...doneEnrollmentRows,
  ...playbackRows,
  ...pictureRows,
  ...sessionRows,
];
