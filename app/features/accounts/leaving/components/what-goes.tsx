import { dataPath } from "../../settings/texts.ts";

/** What deleting an account means, in plain words. */
export function WhatGoes() {
  return (
    <div className="prose">
      <p>These go with it, for good:</p>
      <ul>
        <li>everything you have written in your courses, sent or not yet sent,</li>
        <li>your progress, and your place in every course, also in those that you bought,</li>
        <li>your name, your address, your password and every other way in.</li>
      </ul>
      <p>
        Nobody can bring them back, neither can I. If you may want to read your journal again,{" "}
        <a href={dataPath}>download everything</a> first.
      </p>
      <p>
        These stay: records of payments, as long as the law asks for it, without your name and
        address. And the weekly letter, if you get it: it is separate, and each one ends with a link
        that stops it.
      </p>
      <p>
        You have a week to change your mind. You are signed out everywhere at once, and I write to
        you. Until the week is over you can keep your account, with a press on the link in that
        letter, or when you sign in. After that it is gone.
      </p>
    </div>
  );
}
